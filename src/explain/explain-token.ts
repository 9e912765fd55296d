import { requirementOf } from "../identity/required-schemes.ts";
import type { SchemeConfig } from "../capabilities/authentication/scheme-keys.ts";
import { checkOffline, type OfflineCheck } from "../capabilities/authentication/schemes/jwt/check-offline.ts";
import { readToken } from "../capabilities/authentication/schemes/jwt/judge-token.ts";
import { fulfils, parseRequirement } from "../capabilities/claims/required-values.ts";
import { routeBehind } from "../compiling/aggregate-routes.ts";
import { type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import type { RouteConfig } from "../config/sections.ts";
import type { Identity } from "../identity/identity.ts";
import { hasScope } from "../identity/scopes.ts";
import { maskValues } from "../secrets/redact.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";
import { parseUpstreamTemplate } from "../templates/upstream-template.ts";
import { entriesOf } from "./entries.ts";
import type { ExplainedCheck, ExplainedToken, Explanation, TokenVerdict } from "./explanation.ts";

/** Tells which of a route's demands a token fulfils. Nobody is asked, and nothing of the token is told. */
export async function explainToken(
  config: GatewayConfig,
  { routes, placeholders }: Pick<Explanation, "routes" | "placeholders">,
  token: string,
): Promise<ExplainedToken | undefined> {
  const entry = entriesOf(config)[routes.find(({ verdict }) => verdict === "takes")?.index ?? -1];
  if (entry === undefined) return undefined;
  if (entry.aggregate === undefined) return explainForRoute(config, { route: entry.config, placeholders }, token);
  const { written, parts } = entry.aggregate;
  const explained: ExplainedToken[] = [];
  for (const part of parts) {
    const told = await explainForRoute(config, { route: routeBehind(written, part), placeholders }, token);
    explained.push(ofPart(part.Key!, told));
  }
  return {
    verdict: every(explained),
    schemes: explained.flatMap(({ schemes }) => schemes),
    requirements: explained.flatMap(({ requirements }) => requirements),
  };
}

/** What a token opens of one part of an aggregate: whoever is to come in needs all parts. */
function ofPart(key: string, { verdict, schemes, requirements }: ExplainedToken): ExplainedToken {
  return {
    verdict,
    schemes: schemes.map((one) => ({ ...one, scheme: `${one.scheme} for ${key}` })),
    requirements: requirements.map((one) => ({ ...one, what: `${one.what} for ${key}` })),
  };
}

async function explainForRoute(
  config: GatewayConfig,
  { route, placeholders }: Pick<Explanation, "placeholders"> & Readonly<{ route: RouteConfig }>,
  token: string,
): Promise<ExplainedToken> {
  const global = globalConfigOf(config)!;
  const requirement = requirementOf(route, global);
  if (requirement === undefined) return { verdict: "holds", schemes: [], requirements: [] };
  const defined = global.AuthenticationSchemes ?? {};
  const schemes: ExplainedToken["schemes"][number][] = [];
  for (const scheme of requirement.schemes) {
    const own = Object.hasOwn(defined, scheme) ? defined[scheme] : undefined;
    const checks = (await checksOf(own, token)).map((check) => maskCheck(check, config));
    schemes.push({ scheme, verdict: every(checks), checks });
  }
  const requirements = checkClaims({ route, placeholders, scopes: requirement.scopes }, token);
  return { verdict: every([{ verdict: some(schemes) }, ...requirements]), schemes, requirements };
}

type Verdict = Readonly<{ verdict: TokenVerdict }>;

const verdictsOf = (all: readonly Verdict[]): ReadonlySet<TokenVerdict> => new Set(all.map(({ verdict }) => verdict));

function every(all: readonly Verdict[]): TokenVerdict {
  const found = verdictsOf(all);
  if (found.has("fails")) return "fails";
  return found.has("unknown") ? "unknown" : "holds";
}

function some(all: readonly Verdict[]): TokenVerdict {
  const found = verdictsOf(all);
  if (found.has("holds")) return "holds";
  return found.has("unknown") ? "unknown" : "fails";
}

type CheckScheme = (scheme: SchemeConfig, token: string) => readonly OfflineCheck[] | Promise<readonly OfflineCheck[]>;

const checksByType: Readonly<Record<SchemeConfig["Type"], CheckScheme>> = {
  Jwt: checkOffline,
  Introspection: () => [{ what: "token", expected: "only its server can tell", holds: undefined }],
  ApiKey: () => [{ what: "key", expected: "this scheme takes keys, and no tokens", holds: false }],
};

function checksOf(scheme: SchemeConfig | undefined, token: string): ReturnType<CheckScheme> {
  if (scheme !== undefined) return checksByType[scheme.Type](scheme, token);
  return [{ what: "scheme", expected: "it is not in the file: only code can tell", holds: undefined }];
}

function maskCheck({ what, expected, holds }: OfflineCheck, config: GatewayConfig): ExplainedCheck {
  const secrets = variableSecretsOf(config);
  return { what: maskValues(what, secrets), expected: maskValues(expected, secrets), verdict: verdictOf(holds) };
}

function verdictOf(holds: boolean | undefined): TokenVerdict {
  if (holds === undefined) return "unknown";
  return holds ? "holds" : "fails";
}

type Asked = Pick<Explanation, "placeholders"> & Readonly<{ route: RouteConfig; scopes: readonly string[] }>;

/** Scopes and claims; those of an opaque token are its server's to tell. */
function checkClaims({ route, placeholders, scopes }: Asked, token: string): readonly ExplainedCheck[] {
  const claims = readToken(token)?.payload as Identity["claims"] | undefined;
  const template = parseUpstreamTemplate(route.UpstreamPathTemplate, route.UpstreamHeaderTemplates);
  const taken = Object.fromEntries(placeholders.map(({ name, value }) => [name, value]));
  const context = { template, values: { captured: taken, current: taken } };
  const judge = (what: string, expected: string, holds: boolean | undefined): ExplainedCheck => {
    // Claims that the route makes from others are known to the gateway only.
    const isMade = Object.hasOwn(route.AddClaimsToRequest ?? {}, what.replace("claim ", ""));
    return { what, expected, verdict: verdictOf(isMade ? undefined : holds) };
  };
  const ofScopes = judge("scope", scopes.join(" or "), claims && hasScope({ id: "", claims }, scopes));
  const ofClaims = parseRequirement(route.RouteClaimsRequirement).map((required) => {
    return judge(
      `claim ${required.claim}`,
      "a value of RouteClaimsRequirement",
      claims && fulfils(claims, required, context),
    );
  });
  return [...(scopes.length === 0 ? [] : [ofScopes]), ...ofClaims];
}
