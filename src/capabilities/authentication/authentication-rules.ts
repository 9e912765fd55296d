import type { ConfigRule, GlobalEntry, RouteEntry } from "../../config/rules/rule.ts";
import { locate } from "../../json/place.ts";
import type { Report } from "../../config/problems/problem-list.ts";
import {
  demandsOnIdentity,
  findClaimDemand,
  findDemand,
  requirementOf,
  schemesOf,
  sharedOptions,
} from "../../identity/required-schemes.ts";

const options = "AuthenticationOptions";

/** Nobody must have to guess whether clients of a route need to log in. */
export const checkAuthentication: ConfigRule = function* checkAuthentication({
  routes,
  routesAskingFor,
  global,
  report,
}) {
  for (const route of routesAskingFor("AuthenticationOptions", ...demandsOnIdentity)) {
    yield;
    checkClaimDemand(route, global, report);
    const contradiction = findContradiction(route, global);
    if (contradiction === undefined) continue;
    const message = `nobody can tell whether clients must log in: ${contradiction}`;
    report("lock-contradictory", locate(route.place, [options]), message);
  }
  checkGlobalSection(routes, global, report);
};

function findContradiction({ config }: RouteEntry, global: GlobalEntry): string | undefined {
  const { AuthenticationOptions: own } = config;
  if (own === undefined) return undefined;
  if (own.AllowAnonymous === true) {
    const demand = findDemand(config);
    return demand && `"AllowAnonymous": true stands beside "${demand}": remove the one that is not meant`;
  }
  const holds = requirementOf(config, global.config) !== undefined;
  const isMeant = own.AllowAnonymous === false || (own.AllowedScopes ?? []).length > 0;
  if (holds || !isMeant || isOpenedGlobally(config, global)) return undefined;
  return 'no provider is named here or for all routes: name one with "AuthenticationProviderKeys", or remove this section';
}

/** Where nobody is asked who they are, nobody has claims. */
function checkClaimDemand({ config, place }: RouteEntry, global: GlobalEntry, report: Report): void {
  const demand = findClaimDemand(config);
  const isOpen = config.AuthenticationOptions?.AllowAnonymous === true;
  if (demand === undefined || isOpen || requirementOf(config, global.config) !== undefined) return;
  const found = `"${demand}" reads claims, and nobody is asked for any: no provider is named here or for all routes`;
  const remedy = 'name one with "AuthenticationOptions": { "AuthenticationProviderKeys": [...] }';
  report("lock-contradictory", locate(place, [demand]), `${found}: ${remedy}`);
}

function isOpenedGlobally(config: RouteEntry["config"], { config: global }: GlobalEntry): boolean {
  return sharedOptions(config, global).AllowAnonymous === true && schemesOf(sharedOptions(config, global)).length > 0;
}

/** Scopes, or a refusal of the anonymous, for all routes need a scheme somewhere. */
function checkGlobalSection(routes: readonly RouteEntry[], { config, place }: GlobalEntry, report: Report): void {
  const { AuthenticationOptions: shared } = config;
  if (shared === undefined || schemesOf(shared).length > 0) return;
  if (shared.AllowAnonymous !== false && (shared.AllowedScopes ?? []).length === 0) return;
  if (routes.some((route) => schemesOf(route.config.AuthenticationOptions ?? {}).length > 0)) return;
  const remedy = 'name a provider with "AuthenticationProviderKeys", or remove this section';
  report(
    "lock-contradictory",
    locate(place, [options]),
    `nobody can tell whether clients must log in: no provider is named anywhere: ${remedy}`,
  );
}
