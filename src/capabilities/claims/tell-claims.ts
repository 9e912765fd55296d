import type { ClaimExpression } from "../../identity/claim-expression.ts";
import type { Telling } from "../telling.ts";
import { parseExpressions } from "./claim-for-request.ts";

/** What a route makes of claims, by the key for it: how each is called. */
const makings = [
  ["AddClaimsToRequest", (name: string) => `claim ${name}`],
  ["ChangeDownstreamPathTemplate", (name: string) => `{${name}}`],
  ["AddQueriesToRequest", (name: string) => `parameter ${name}`],
  ["AddHeadersToRequest", (name: string) => `header ${name}`],
] as const;

/** Tells what a route makes of claims. */
export const tellClaims: Telling = {
  name: "claims",
  title: "from claims",
  keys: makings.map(([key]) => key),
  tell(route) {
    const told = makings.flatMap(([key, nameIt]) =>
      parseExpressions(route[key]).map(
        ({ name, expression }) => [nameIt(name), describeExpression(expression)] as const,
      ),
    );
    if (told.length === 0) return undefined;
    const names = told.map(([what]) => what).join(", ");
    return [names, ...told.map(([what, from]) => `${what} from ${from}`)];
  },
};

/** What an expression finds, in words. */
export function describeExpression({ claim, part }: ClaimExpression): string {
  return part === undefined ? `the claim ${claim}` : `part ${part.index} of the claim ${claim}`;
}
