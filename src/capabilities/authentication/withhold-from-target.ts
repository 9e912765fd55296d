import type { RouteConfig } from "../../config/sections.ts";
import type { MatchedTarget } from "../../forwarding/resolve-path.ts";
import { namesOf, parseUpstreamTemplate } from "../../templates/upstream-template.ts";
import { splitQuery } from "../../urls/client-query.ts";
import type { CredentialPlaces } from "./credential-places.ts";

type Values = MatchedTarget["values"];

/**
 * Prepares to keep credentials out of the path and the query that are asked downstream: parameters of their names go, out
 * of a placeholder for the whole query, too, and a placeholder that has captured a credential is empty. Undefined where
 * none can come there.
 */
export function createWithholdFromTarget(
  { UpstreamPathTemplate, UpstreamHeaderTemplates }: RouteConfig,
  { query = [], headers = [] }: CredentialPlaces,
): ((target: MatchedTarget) => MatchedTarget) | undefined {
  if (query.length === 0 && (headers.length === 0 || UpstreamHeaderTemplates === undefined)) return undefined;
  const parameters = new Set(query);
  const template = parseUpstreamTemplate(UpstreamPathTemplate, UpstreamHeaderTemplates);
  const captured = [
    ...template.query.filter(({ name }) => parameters.has(name)),
    ...template.headers.filter(({ name }) => headers.includes(name)),
  ].flatMap(({ value }) => namesOf(value));
  const { wholeQuery } = template;
  const changes = new Map<string, (value: string) => string>(captured.map((name) => [name, () => ""]));
  if (wholeQuery !== undefined && parameters.size > 0) changes.set(wholeQuery, withoutParameters);

  return function withholdFromTarget(target) {
    const values = changes.size === 0 ? target.values : changeValues(target.values, changes);
    if (parameters.size === 0 || target.query === undefined)
      return values === target.values ? target : { ...target, values };
    const kept = withoutParameters(target.query);
    return { ...target, values, query: kept === "" ? undefined : kept };
  };

  function withoutParameters(text: string): string {
    const kept = splitQuery(text).filter(({ name }) => !parameters.has(name));
    return kept.map(({ raw }) => raw).join("&");
  }
}

/** What middleware has assigned is its own affair. */
function changeValues({ captured, current }: Values, changes: ReadonlyMap<string, (value: string) => string>): Values {
  const changed = { captured: { ...captured }, current: { ...current } };
  for (const [name, change] of changes) {
    const value = captured[name];
    if (value === undefined) continue;
    changed.captured[name] = change(value);
    if (current[name] === value) changed.current[name] = changed.captured[name];
  }
  return changed;
}
