import { RequestError } from "../../errors.ts";
import { namesOf, type UpstreamTemplate } from "../../templates/upstream-template.ts";
import { splitAtSemicolons, splitQuery } from "../../urls/client-query.ts";
import { parameterIdentities } from "../../urls/parameter-aliases.ts";

/**
 * Prepares to find a parameter that is compared and comes twice, under whatever spelling: the upstream might read the one
 * that was not compared.
 */
export function createFindRepeated(
  { query }: UpstreamTemplate,
  placeholders: readonly string[],
): (query: string | undefined) => RequestError | undefined {
  const compared = query.filter(({ value }) => namesOf(value).some((name) => placeholders.includes(name)));
  const names = compared.map(({ name }) => name.toLowerCase());
  return function findRepeated(sent) {
    if (names.length === 0 || sent === undefined) return undefined;
    const found = splitQuery(sent).flatMap(splitAtSemicolons).map(parameterIdentities);
    const repeated = names.some((name) => found.filter((identities) => identities.includes(name)).length > 1);
    if (!repeated) return undefined;
    return new RequestError("request-ill-formed", "A query parameter that the route compares with claims is repeated.");
  };
}
