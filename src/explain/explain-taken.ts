import { readFraming } from "../bodies/request-framing.ts";
import { compileLimits } from "../capabilities/limits/route-limits.ts";
import type { Withholding } from "../capabilities/authentication/withhold-credentials.ts";
import { mergeMetadata } from "../capabilities/metadata/merge-metadata.ts";
import { compileWay, type RouteWay } from "../compiling/compile-way.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import { RequestError } from "../errors.ts";
import { passesAsPreflight } from "../identity/preflight.ts";
import type { GatewayOptions } from "../options/options.ts";
import type { MatchedTarget } from "../forwarding/resolve-path.ts";
import type { MatchedRequest } from "../routing/match-request.ts";
import type { UpstreamTemplate } from "../templates/upstream-template.ts";
import { decodeOrKeep } from "../urls/decode-or-keep.ts";
import { explainAddress } from "./explain-address.ts";
import { explainCache } from "./explain-cache.ts";
import { explainClaims } from "./explain-claims.ts";
import { explainForward, type Outcome, refused } from "./explain-forward.ts";
import { explainMetadata } from "./explain-metadata.ts";
import { explainTransforms } from "./explain-transforms.ts";
import { explainWithholding } from "./explain-withholding.ts";
import type { ExplainableRequest, ExplainedForward, ExplainedPlaceholder, Explanation } from "./explanation.ts";
import { dropClaimHeaders, pretendRequest } from "./pretend-request.ts";
import { routeAccessOf } from "./route-access.ts";
import { policiesOf } from "./route-policies.ts";

/** Options of a gateway that an explanation can take into account. */
export type ExplainOptions = Pick<GatewayOptions, "limits" | "via" | "allowedOrigins" | "authentication">;

/** What a configuration says for all routes, and what is known of the gateway. */
export type ExplainSurroundings = Readonly<{
  global: GlobalConfig;
  options: ExplainOptions;
  claimHeaders: ReadonlySet<string> | undefined;
  withholding: Withholding | undefined;
}>;

/** A route with what decides about its requests. */
export type TakingRoute = Readonly<{
  config: RouteConfig;
  template: UpstreamTemplate;
  way: RouteWay;
  withholdFrom: ReturnType<typeof explainWithholding>;
}>;

/** What is told of a request and the route that takes it. */
export type Taken = Pick<
  Explanation,
  "outcome" | "forwarded" | "refusal" | "access" | "policies" | "cache" | "placeholders" | "metadata"
>;

/** Compiles of a route what decides about its requests, as the gateway does. */
export function compileTaking(
  config: RouteConfig,
  template: UpstreamTemplate,
  { global, options, withholding }: ExplainSurroundings,
): TakingRoute {
  const limits = compileLimits(config.Limits, global.Limits, options.limits);
  const way = compileWay({ config, template, limits }, { global, options });
  return { config, template, way, withholdFrom: explainWithholding(config, withholding, { global, options }) };
}

/** Tells what becomes of a request on the route that takes it. */
export function explainTaken(
  { config, template, way, withholdFrom }: TakingRoute,
  found: MatchedRequest<unknown>,
  { request, global, claimHeaders }: ExplainSurroundings & Readonly<{ request: ExplainableRequest }>,
): Taken {
  const { address, mountPath = "" } = request;
  const req = pretendRequest(request);
  dropClaimHeaders(req, claimHeaders);
  const given = { ...req.headers };
  const isPreflight = passesAsPreflight(req, readFraming(req), config);
  const withheld = withholdFrom({ req, isPreflight });
  const claims = explainClaims(config, !isPreflight);
  const circumstances = {
    mountPath,
    judgeClient: () => explainAddress(config, global, address),
    changeTarget(target: MatchedTarget): MatchedTarget {
      const kept = withheld.changeTarget(target);
      return claims?.changeTarget(kept) ?? kept;
    },
  };
  const outcome = changeForwarded(explainForward(way, req, found, circumstances), (sent) => {
    const transformed = explainTransforms(withheld.changeForwarded(sent), req, { config, global });
    return claims?.tell(transformed) ?? transformed;
  });
  const { forwarded } = outcome;
  const { Metadata } = config;
  return {
    ...outcome,
    access: routeAccessOf(config, global),
    policies: policiesOf(config, global),
    cache: forwarded && explainCache({ config, global }, forwarded, { req, given, query: found.target.query }),
    placeholders: explainPlaceholders(found, template),
    metadata: explainMetadata(mergeMetadata(global.Metadata, Metadata), global.Metadata, Metadata),
  };
}

/** What policies change of a request that is sent, or what they refuse it for. */
function changeForwarded(outcome: Outcome, change: (forwarded: ExplainedForward) => ExplainedForward): Outcome {
  if (outcome.forwarded === undefined) return outcome;
  try {
    return { ...outcome, forwarded: change(outcome.forwarded) };
  } catch (error) {
    if (error instanceof RequestError) return refused(error);
    throw error;
  }
}

/** Tells what the placeholders of a template took. */
export function explainPlaceholders(
  { match }: MatchedRequest<unknown>,
  { origins }: UpstreamTemplate,
): ExplainedPlaceholder[] {
  return Object.entries(match.placeholders).map(([name, value]) => ({
    name,
    value,
    decoded: decodeOrKeep(value),
    from: origins.get(name) ?? "path",
  }));
}
