import { isPlainlyAmong, plainName } from "../../headers/header-aliases.ts";
import { rememberPerIdentity } from "../../identity/identity.ts";
import type { ChangeRequest } from "../capability.ts";
import { claimUnfit, type NamedExpression, readForRequest } from "./claim-for-request.ts";

const outsideHeaders = /[^\t\x20-\x7e]/;
const outerBlanks = /^[\t ]+|[\t ]+$/g;

/** Sets headers from claims, in place of whatever stands under their names, however these are spelt. */
export function createClaimsIntoHeaders(expressions: readonly NamedExpression[]): ChangeRequest {
  const named = expressions.map((one) => ({ ...one, header: one.name.toLowerCase() }));
  const plainNames = new Set(named.map(({ header }) => plainName(header)));
  const readHeaders = rememberPerIdentity((identity) =>
    named.map((one) => {
      const text = readForRequest(identity, one);
      if (outsideHeaders.test(text)) throw claimUnfit();
      return { header: one.header, text: text.replace(outerBlanks, "") };
    }),
  );
  return function putClaimsIntoHeaders({ headers }, { identity }) {
    if (identity === undefined) return;
    for (const name in headers) if (isPlainlyAmong(name, plainNames)) Reflect.deleteProperty(headers, name);
    for (const { header, text } of readHeaders(identity)) headers[header] = text;
  };
}
