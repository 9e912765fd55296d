import type { RouteConfig } from "../../config/sections.ts";
import type { MatchedTarget } from "../../forwarding/resolve-path.ts";
import { namesOf, parseUpstreamTemplate } from "../../templates/upstream-template.ts";
import { isPlainlyAmong, plainName } from "../../headers/header-aliases.ts";
import { methodParameters, tellsAddress } from "../../headers/headers-services-go-by.ts";
import type { CredentialPlaces } from "./credential-places.ts";
import { createWithoutInAddress, createWithoutParameters } from "./without-parameters.ts";

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
  const withoutCredentials = createWithoutParameters(query);
  const withoutInAddress = createWithoutInAddress(query);
  const template = parseUpstreamTemplate(UpstreamPathTemplate, UpstreamHeaderTemplates);
  const isRead = ({ name }: { name: string }): boolean => withoutCredentials(`${encodeURIComponent(name)}=`) === "";
  const captured = [
    ...template.query.filter(isRead),
    ...template.headers.filter(({ name }) => isPlainlyAmong(name.toLowerCase(), carriers)),
  ].flatMap(({ value }) => namesOf(value));
  const { wholeQuery } = template;
  const others = query.length === 0 ? [] : template.query.flatMap(({ value }) => namesOf(value));
  const addresses = template.headers.filter(
    ({ name }) => query.length > 0 && tellsAddress(plainName(name.toLowerCase())),
  );
  const changes = new Map<string, (value: string) => string>([
    ...addresses.flatMap(({ value }) => namesOf(value)).map((name) => [name, withoutInAddress] as const),
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
