import { RequestError } from "../../errors.ts";
import { type ClaimExpression, parseClaimExpression, readClaim } from "../../identity/claim-expression.ts";
import type { Identity } from "../../identity/identity.ts";
import { entriesInOrder } from "../../schema/written-order.ts";

/** An expression and the name under which what it finds travels. */
export type NamedExpression = Readonly<{ name: string; expression: ClaimExpression }>;

const none: readonly NamedExpression[] = [];

/** Parses expressions that were checked when the configuration was read, in the order of the file. */
export function parseExpressions(written: Readonly<Record<string, string>> | undefined): readonly NamedExpression[] {
  if (written === undefined) return none;
  return entriesInOrder(written).map(([name, text]) => ({ name, expression: parseClaimExpression(text)! }));
}

// As long as a whole token may be.
const mostCharacters = 16_384;

/** Reads what an expression finds; throws what the request is refused for where the claim is missing. */
export function readForRequest({ claims }: Identity, { expression }: NamedExpression): string {
  const text = readClaim(claims, expression);
  if (text === undefined) {
    throw new RequestError("claim-missing", "Who is asking lacks a claim that the route passes on.");
  }
  // Half characters are all written alike, so that two claims would become one.
  if (text.length > mostCharacters || !text.isWellFormed()) throw claimUnfit();
  return text;
}

/** What a request is refused for whose claims cannot travel in the place where the route puts them. */
export function claimUnfit(): RequestError {
  return new RequestError("claim-unfit", "A claim of who is asking cannot be passed on where the route puts it.");
}
