import { routeBehind } from "../compiling/aggregate-routes.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import type { RouteConfig } from "../config/sections.ts";
import type { Headers } from "../delegating-handler.ts";
import { bearsSecret, maskMetadata } from "../secrets/mask-metadata.ts";
import { type CredentialNames, credentialNamesOf, inheritCredentialNames } from "../secrets/credentials-of-schemes.ts";
import { holdsSecret } from "../secrets/secret-within-value.ts";
import { maskValues, redactAsked, redactSent, redactText, redactUnmatched, redactUrl } from "../secrets/redact.ts";
import { routeSecretsOf } from "../secrets/route-secrets.ts";
import { isSecretHeader, secretMask } from "../secrets/secret-names.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";
import { entriesOf, type Entry } from "./entries.ts";
import type { RouteHeaders } from "./describe-transforms.ts";
import type {
  ExplainedMetadata,
  ExplainedPart,
  ExplainedPlaceholder,
  ExplainedRoute,
  Explanation,
} from "./explanation.ts";
import type { RouteAccess } from "./route-access.ts";
import { maskPolicies } from "./route-policies.ts";

/** How the texts of one explanation are masked. */
type Masks = Readonly<{
  asked: MaskText;
  sent: MaskText;
  text: MaskText;
  origin: MaskText;
  credentials: CredentialNames;
}>;
type MaskText = (text: string) => string;
type Aggregate = NonNullable<Entry["aggregate"]>;

/** An explanation by a configuration as it may be shown: secrets of the configuration and of the request are `***`. */
export function maskByConfig(config: GatewayConfig, explanation: Explanation): Explanation {
  const { request, routes, placeholders, parts, metadata } = explanation;
  const entries = entriesOf(config);
  const taker = routes.find(({ verdict }) => verdict === "takes");
  const entry = taker && entries[taker.index]!;
  const masks = createMasks(config, entry?.config, placeholders);
  const aggregate = entry?.aggregate;
  return {
    ...explanation,
    request: { ...request, path: masks.asked(request.path) },
    route: explanation.route === undefined ? undefined : masks.origin(explanation.route),
    routes: routes.map((one) => maskRoute(one, entries[one.index]!.config, masks)),
    placeholders: placeholders.map((placeholder) => maskPlaceholder(placeholder, entry?.config, masks)),
    ...maskOutcome(explanation, masks),
    access: explanation.access && maskAccess(explanation.access, variableSecretsOf(config)),
    ...(parts && aggregate && { parts: parts.map((part) => maskPart(part, aggregate)) }),
    ...(explanation.answer !== undefined && { answer: masks.origin(explanation.answer) }),
    metadata: metadata.map((entry) => maskEntry(entry, variableSecretsOf(config))),
  };

  function maskOutcome(
    { forwarded, policies, cache }: Pick<Explanation, "forwarded" | "policies" | "cache">,
    own: Masks,
  ): Pick<Explanation, "forwarded" | "policies" | "cache"> {
    return {
      forwarded: forwarded && {
        ...forwarded,
        url: own.sent(forwarded.url),
        otherOrigins: forwarded.otherOrigins.map(own.origin),
        headers: maskHeaders(forwarded.headers, own),
        ...(forwarded.answerHeaders && { answerHeaders: maskHeaders(forwarded.answerHeaders, own) }),
      },
      policies: maskPolicies(policies, variableSecretsOf(config)),
      cache: cache && { ...cache, toldApartBy: cache.toldApartBy.map(own.origin) },
    };
  }

  function maskPart(part: ExplainedPart, { written, parts: routesBehind }: Aggregate): ExplainedPart {
    const route = routeBehind(
      written,
      routesBehind.find(({ Key }) => Key === part.key)!,
    );
    const own = createMasks(config, route, placeholders);
    const access = maskAccess(part.access, variableSecretsOf(config));
    return { ...part, key: own.origin(part.key), access, ...maskOutcome(part, own) };
  }
}

function createMasks(
  config: GatewayConfig,
  route: RouteConfig | undefined,
  placeholders: readonly ExplainedPlaceholder[],
): Masks {
  const variables = variableSecretsOf(config);
  const origin: MaskText = (text) => maskValues(text, variables);
  const credentials = credentialNamesOf(config);
  const unmatched: MaskText = (text) => redactUnmatched(text, config);
  if (route === undefined) return { asked: unmatched, sent: unmatched, text: origin, origin, credentials };
  // Reasons quote values as they were sent, or decoded.
  const values = {
    captured: Object.fromEntries(placeholders.map(({ name, value }) => [name, value])),
    current: Object.fromEntries(placeholders.map(({ name, value }) => [name, value])),
  };
  const decoded = {
    ...values,
    current: Object.fromEntries(placeholders.map(({ name, decoded: text }) => [name, text])),
  };
  // Their values are not known here: what stands in their places are names.
  const unclaimed = { ...route, ChangeDownstreamPathTemplate: undefined, AddQueriesToRequest: undefined };
  const withoutClaims = inheritCredentialNames(unclaimed, route);
  return {
    asked: (text) => origin(redactAsked(text, route, values)),
    sent: (text) => origin(redactSent(text, withoutClaims, values)),
    text: (text) => origin(redactText(text, route, decoded)),
    origin,
    credentials,
  };
}

function maskRoute(explained: ExplainedRoute, config: RouteConfig, { text, origin }: Masks): ExplainedRoute {
  return {
    ...explained,
    id: origin(explained.id),
    upstreamPathTemplate: redactUrl(explained.upstreamPathTemplate, config),
    methods: explained.methods.map(origin),
    host: explained.host === undefined ? undefined : origin(explained.host),
    reasons: explained.reasons.map(({ aspect, message }) => ({ aspect, message: text(message) })),
  };
}

function maskPlaceholder(
  placeholder: ExplainedPlaceholder,
  route: RouteConfig | undefined,
  { text, origin, credentials }: Masks,
): ExplainedPlaceholder {
  const { name, value, decoded } = placeholder;
  // The values of variables may have become names.
  const shown = { ...placeholder, name: origin(name) };
  const isSecret = route !== undefined && routeSecretsOf(route).placeholders.includes(name);
  return isSecret || holdsSecret(value, credentials)
    ? { ...shown, value: secretMask, decoded: secretMask }
    : { ...shown, value: text(value), decoded: text(decoded) };
}

function maskHeaders(headers: Headers, { text: maskText, origin, credentials }: Masks): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      origin(name),
      isSecretHeader(name, credentials)
        ? secretMask
        : typeof value === "string"
          ? maskHeader(value)
          : value.map(maskHeader),
    ]),
  );

  /** Of a header without a telling name the value may still tell that it holds a secret. */
  function maskHeader(value: string): string {
    return bearsSecret(value) || holdsSecret(value, credentials) ? secretMask : maskText(value);
  }
}

/** A metadata entry as it may be shown. */
export function maskEntry(entry: ExplainedMetadata, variables: readonly string[]): ExplainedMetadata {
  const { key, value, replaces } = entry;
  return {
    ...entry,
    value: maskMetadata(key, value, variables),
    ...("replaces" in entry ? { replaces: maskMetadata(key, replaces ?? null, variables) } : {}),
  };
}

/** What a route does with headers, as it may be shown. */
export function maskRouteHeaders({ request, answer }: RouteHeaders, route: RouteConfig): RouteHeaders {
  const variables = variableSecretsOf(route);
  const credentials = credentialNamesOf(route);
  return { request: mask(request), answer: mask(answer) };

  function mask(headers: RouteHeaders["request"]): RouteHeaders["request"] {
    const masked = Object.entries(headers).map(([name, words]) => [
      maskValues(name, variables),
      isSecretHeader(name, credentials) ? secretMask : maskValues(words, variables),
    ]);
    return Object.fromEntries(masked) as RouteHeaders["request"];
  }
}

/** Who may come in, as it may be shown. */
export function maskAccess(access: RouteAccess, variables: readonly string[]): RouteAccess {
  const { open, schemes, scopes, claims, addresses, summary } = access;
  const mask = (names: readonly string[]): readonly string[] => names.map((name) => maskValues(name, variables));
  return {
    open,
    schemes: mask(schemes),
    scopes: mask(scopes),
    claims: mask(claims),
    addresses: addresses === undefined ? undefined : maskValues(addresses, variables),
    summary: maskValues(summary, variables),
  };
}
