import type { ConfigRule, GlobalEntry, RouteEntry } from "../../config/rules/rule.ts";
import { quote } from "../../json/json-node.ts";
import { locate } from "../../json/place.ts";
import type { Report } from "../../config/problems/problem-list.ts";
import { demandsOnIdentity, requirementOf, schemesOf, sharedOptions } from "./required-schemes.ts";

const options = "AuthenticationOptions";
const sha256 = /^[\da-f]{64}$/i;
const ofEmptyText = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Nobody must have to guess whether clients of a route need to log in. */
export const checkAuthentication: ConfigRule = function* checkAuthentication({ routes, global, report }) {
  for (const route of routes) {
    yield;
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
    const demand = demandBeside(config);
    return demand && `"AllowAnonymous": true stands beside "${demand}": remove the one that is not meant`;
  }
  const holds = requirementOf(config, global.config) !== undefined;
  const isMeant = own.AllowAnonymous === false || (own.AllowedScopes ?? []).length > 0;
  if (holds || !isMeant || isOpenedGlobally(config, global)) return undefined;
  return 'no provider is named here or for all routes: name one with "AuthenticationProviderKeys", or remove this section';
}

function demandBeside(config: RouteEntry["config"]): string | undefined {
  const { AuthenticationOptions: own = {} } = config;
  const keys = ["AllowedScopes", "AuthenticationProviderKey", "AuthenticationProviderKeys"] as const;
  const values: Readonly<Record<string, unknown>> = config;
  return (
    keys.find((key) => own[key] !== undefined && own[key].length > 0) ??
    demandsOnIdentity.find((key) => Object.keys(values[key] ?? {}).length > 0)
  );
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

/** A scheme has what it needs, and nothing in it lets in who has no key. */
export const checkSchemes: ConfigRule = function checkSchemes({ global: { config, place }, report }) {
  for (const [name, scheme] of Object.entries(config.AuthenticationSchemes ?? {})) {
    const at = (...keys: readonly (string | number)[]): ReturnType<typeof locate> =>
      locate(place, ["AuthenticationSchemes", name, ...keys]);
    const { Keys: keys = [] } = scheme;
    if (keys.length === 0) {
      report("scheme-incomplete", at(), `scheme ${quote(name)} has no "Keys": expected a list of { "Name", "Sha256" }`);
    }
    const seen = new Map<string, number>();
    for (const [index, key] of keys.entries()) {
      const fault = findKeyFault(key, seen);
      if (fault !== undefined) report(fault.code, at("Keys", index, ...fault.within), fault.message);
      else seen.set(key.Sha256.toLowerCase(), index);
    }
  }
};

type ApiKeyEntry = Readonly<{ Name?: string; Sha256?: string; Claims?: unknown }>;
type KeyFault = Readonly<{ code: "scheme-incomplete" | "api-key-invalid"; within: readonly string[]; message: string }>;

function findKeyFault({ Name, Sha256, Claims }: ApiKeyEntry, seen: ReadonlyMap<string, number>): KeyFault | undefined {
  if (Name === undefined || Name === "") return incomplete("Name", "whose key it is");
  if (Sha256 === undefined) return incomplete("Sha256", "the SHA-256 of the key in hexadecimal digits");
  if (!sha256.test(Sha256))
    return invalid("Sha256", "this is no SHA-256: expected 64 hexadecimal digits of the key's digest");
  if (Sha256.toLowerCase() === ofEmptyText)
    return invalid("Sha256", "this is the digest of the empty text, which is no key");
  const first = seen.get(Sha256.toLowerCase());
  if (first !== undefined) return invalid("Sha256", `Keys[${first}] has the same digest: a key belongs to one name`);
  if (Claims === undefined || (typeof Claims === "object" && Claims !== null && !Array.isArray(Claims)))
    return undefined;
  return invalid("Claims", "claims are an object of values by name");
}

function incomplete(key: string, what: string): KeyFault {
  return { code: "scheme-incomplete", within: [], message: `an API key has no "${key}": expected ${what}` };
}

function invalid(key: string, message: string): KeyFault {
  return { code: "api-key-invalid", within: [key], message };
}
