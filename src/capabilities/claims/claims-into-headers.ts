import { plainName } from "../../headers/header-aliases.ts";
import type { ChangeRequest } from "../capability.ts";
import { claimUnfit, type NamedExpression, readForRequest } from "./read-for-request.ts";

const outsideHeaders = /[^\t\x20-\x7e]/;
const outerBlanks = /^[\t ]+|[\t ]+$/g;

/** Sets headers from claims, in place of whatever stands under their names, however these are spelt. */
export function createClaimsIntoHeaders(expressions: readonly NamedExpression[]): ChangeRequest {
  const plainNames = new Set(expressions.map(({ name }) => plainName(name.toLowerCase())));
  return function putClaimsIntoHeaders({ headers }, { identity }) {
    if (identity === undefined) return;
    const values = expressions.map((named) => {
      const text = readForRequest(identity, named);
      if (outsideHeaders.test(text)) throw claimUnfit();
      return [named.name.toLowerCase(), text.replace(outerBlanks, "")] as const;
    });
    for (const name of Object.keys(headers)) if (plainNames.has(plainName(name))) delete headers[name];
    for (const [name, text] of values) headers[name] = text;
  };
}
