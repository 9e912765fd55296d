import { effectiveLists } from "../../capabilities/address-lists/effective-lists.ts";
import { requirementOf } from "../../identity/required-schemes.ts";
import { effectiveOptions } from "../../capabilities/rate-limits/effective-limit.ts";
import { quote } from "../../json/json-node.ts";
import type { Unchecked } from "../rules/rule.ts";
import type { GlobalConfig, RouteConfig } from "../sections.ts";

type Demands = (route: Unchecked<RouteConfig>, global: Unchecked<GlobalConfig>) => boolean;

/** What a route may demand of its clients, itself or by what holds for all routes; the hardest lock first. */
const locks: Readonly<Record<string, Demands>> = {
  AuthenticationOptions: (route, global) => requirementOf(route, global) !== undefined,
  AllowedScopes: (route, global) => (requirementOf(route, global)?.scopes ?? []).length > 0,
  RouteClaimsRequirement: ({ RouteClaimsRequirement: required = {} }) => Object.keys(required).length > 0,
  SecurityOptions: (route, global) => effectiveLists(route, global) !== undefined,
  RateLimitOptions: (route, global) => effectiveOptions(route, global) !== undefined,
  AllowedOrigins: ({ AllowedOrigins }) => AllowedOrigins !== undefined,
  ClientParameters: ({ ClientParameters }) => ClientParameters !== undefined,
  Limits: ({ Limits }) => Limits !== undefined,
};

/** The names of what a route demands of its clients; middleware may read any metadata as a demand. */
export function findDemands(route: Unchecked<RouteConfig>, global: Unchecked<GlobalConfig>): readonly string[] {
  const locked = Object.entries(locks).filter(([, isDemanded]) => isDemanded(route, global));
  return [
    ...locked.map(([name]) => name),
    ...Object.keys(route.Metadata ?? {}).map((name) => `Metadata ${quote(name)}`),
  ];
}
