import type { RouteConfig } from "../../config/sections.ts";
import type { MatchedTarget } from "../../forwarding/resolve-path.ts";
import { namesOf, parseUpstreamTemplate } from "../../templates/upstream-template.ts";
import { isPlainlyAmong, plainName } from "../../headers/header-aliases.ts";
import { identitiesOf } from "../../forwarding/own-parameters.ts";
import { methodParameters } from "../../headers/taken-by-services.ts";
import { type QueryParameter, splitAtSemicolons, splitQuery } from "../../urls/client-query.ts";
import { parameterIdentities } from "../../urls/parameter-aliases.ts";
import type { CredentialPlaces } from "./credential-places.ts";

type Values = MatchedTarget["values"];

/**
 * Prepares to keep credentials out of the path and the query that are asked downstream: parameters of their names go, out
 * of a placeholder for the whole query, too, and a placeholder that has captured a credential is empty. Undefined where
 * none can come there.
 */
export function createWithholdFromTarget(
  { UpstreamPathTemplate, UpstreamHeaderTemplates }: RouteConfig,
  { query = [], headers = [], subprotocol = false }: CredentialPlaces,
): ((target: MatchedTarget) => MatchedTarget) | undefined {
  const carriers = new Set([...headers, ...(subprotocol ? ["sec-websocket-protocol"] : [])].map(plainName));
  if (query.length === 0 && (carriers.size === 0 || UpstreamHeaderTemplates === undefined)) return undefined;
  const withoutCredentials = createWithout(query);
  const template = parseUpstreamTemplate(UpstreamPathTemplate, UpstreamHeaderTemplates);
  const isRead = ({ name }: { name: string }): boolean => withoutCredentials(`${encodeURIComponent(name)}=`) === "";
  const captured = [
    ...template.query.filter(isRead),
    ...template.headers.filter(({ name }) => isPlainlyAmong(name.toLowerCase(), carriers)),
  ].flatMap(({ value }) => namesOf(value));
  const { wholeQuery } = template;
  const others = query.length === 0 ? [] : template.query.flatMap(({ value }) => namesOf(value));
  const changes = new Map<string, (value: string) => string>([
    ...others.map((name) => [name, withoutHidden] as const),
    ...captured.map((name) => [name, () => ""] as const),
  ]);
  if (wholeQuery !== undefined && query.length > 0) changes.set(wholeQuery, withoutCredentials);

  return function withholdFromTarget(target) {
    const values = changes.size === 0 ? target.values : changeValues(target.values, changes);
    if (query.length === 0 || target.query === undefined)
      return values === target.values ? target : { ...target, values };
    const kept = withoutCredentials(target.query);
    return { ...target, values, query: kept === "" ? undefined : kept };
  };

  /** A value keeps its beginning, whatever that looks like: only behind a semicolon does it begin a parameter. */
  function withoutHidden(value: string): string {
    return value.includes(";") ? withoutCredentials(`=${value}`).slice(1) : value;
  }
}

const changesOfPreflights = new WeakMap<RouteConfig, (target: MatchedTarget) => MatchedTarget>();

/** Keeps parameters that services take for the method out of what a preflight asks for. */
export function withoutMethodParameters(target: MatchedTarget, config: RouteConfig): MatchedTarget {
  if (target.query === undefined) return target;
  // Most routes are never sent any.
  let change = changesOfPreflights.get(config);
  if (change === undefined) {
    change = createWithholdFromTarget(config, { query: methodParameters })!;
    changesOfPreflights.set(config, change);
  }
  return change(target);
}

/** Prepares to drop parameters, as upstreams may read their names, and behind semicolons, too. */
function createWithout(names: readonly string[]): (text: string) => string {
  const taken = identitiesOf(names.map((name) => ({ raw: name, name })));
  return function without(text) {
    return splitQuery(text).flatMap(withoutTaken).join("&");
  };

  function withoutTaken(parameter: QueryParameter): readonly string[] {
    const pieces = parameter.raw.includes(";") ? splitAtSemicolons(parameter) : [parameter];
    const kept = pieces.filter((piece) => !parameterIdentities(piece).some((identity) => taken.has(identity)));
    return kept.length === 0 ? [] : [kept.map(({ raw }) => raw).join(";")];
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
