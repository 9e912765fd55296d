import { hideTaken, identitiesOf, type IsTaken, readQueryTemplate } from "../../forwarding/template-parameters.ts";
import { refuseTooManyInFront } from "../../forwarding/too-many-parameters.ts";
import { rememberPerIdentity } from "../../identity/identity.ts";
import { encodeAssignedValue } from "../../templates/encode-value.ts";
import { type QueryParameter, splitQuery } from "../../urls/client-query.ts";
import { parameterIdentities } from "../../urls/parameter-aliases.ts";
import { pathOf, queryOf } from "../../urls/path-and-query.ts";
import type { ChangeRequest } from "../capability.ts";
import { type NamedExpression, readForRequest } from "./claim-for-request.ts";

/**
 * Adds parameters from claims behind all others; the client's of these names go. A name that the downstream template sets
 * stays as the template has it.
 */
export function createClaimsIntoQuery(
  expressions: readonly NamedExpression[],
  downstreamTemplate: string,
): ChangeRequest {
  const written = createIsAmong(readQueryTemplate(queryOf(downstreamTemplate) ?? "").named);
  const parameters = expressions.map((named) => ({ named, name: named.name, raw: encode(named.name) }));
  const [kept, added] = [parameters.filter(written), parameters.filter((parameter) => !written(parameter))];
  const isTaken = createIsAmong(added);

  const readOwn = rememberPerIdentity(function readParameters(identity): string {
    // A claim that is missing refuses the request even where the template has the last word.
    for (const { named } of kept) readForRequest(identity, named);
    return added.map(({ named, raw }) => `${raw}=${encode(readForRequest(identity, named))}`).join("&");
  });

  return function putClaimsIntoQuery(outgoing, { identity }) {
    const own = identity === undefined ? "" : readOwn(identity);
    const others = queryOf(outgoing.path);
    const query = others === undefined ? own : join(withoutTaken(others, isTaken), own);
    const path = others === undefined ? outgoing.path : pathOf(outgoing.path);
    outgoing.path = query === "" ? path : `${path}?${query}`;
  };
}

function createIsAmong(parameters: readonly QueryParameter[]): IsTaken {
  const names = identitiesOf(parameters);
  return (parameter) => parameterIdentities(parameter).some((identity) => names.has(identity));
}

function join(others: readonly string[], own: string): string {
  if (own === "") return others.join("&");
  refuseTooManyInFront(others);
  return [...others, own].join("&");
}

function withoutTaken(query: string, isTaken: IsTaken): readonly string[] {
  if (query === "") return [];
  const kept = splitQuery(query).filter((parameter) => !isTaken(parameter));
  return kept.map((parameter) => hideTaken(parameter, isTaken));
}

/** A percent sign of a claim stands for itself. */
function encode(text: string): string {
  return encodeAssignedValue(text.replaceAll("%", "%25"), "query");
}
