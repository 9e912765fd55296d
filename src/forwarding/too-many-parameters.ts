import { RequestError } from "../errors.ts";

/** How many parameters may stand in front of one that the gateway sets: some services read no more than a thousand. */
export const mostParametersInFront = 500;

/** Refuses parameters behind which a service may leave out those that the gateway adds; some split at semicolons, too. */
export function refuseTooManyInFront(parameters: readonly string[]): void {
  if (parameters.reduce((sum, text) => sum + 1 + countSemicolons(text), 0) <= mostParametersInFront) return;
  throw new RequestError(
    "parameters-too-many",
    `The query has more than the ${mostParametersInFront} parameters that are taken here, where the gateway adds others.`,
  );
}

/** How many semicolons a text holds. */
export function countSemicolons(text: string): number {
  let count = 0;
  for (let at = text.indexOf(";"); at !== -1; at = text.indexOf(";", at + 1)) count += 1;
  return count;
}
