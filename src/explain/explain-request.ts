import type { IncomingMessage } from "node:http";
import { readFraming } from "../bodies/request-framing.ts";
import { claimHeadersOf } from "../capabilities/claims/claim-headers.ts";
import { compileLimits } from "../capabilities/limits/route-limits.ts";
import { mergeMetadata } from "../capabilities/metadata/merge-metadata.ts";
import { compileWay, type RouteWay } from "../compiling/compile-way.ts";
import { defineRoute } from "../compiling/index-routes.ts";
import { usualIdOf } from "../config/dynamic-routes.ts";
import { type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import { GatewayError } from "../errors.ts";
import type { GatewayOptions } from "../options/options.ts";
import { isPreflight } from "../identity/preflight.ts";
import { findMisfits } from "../routing/find-misfits.ts";
import {
  buildRouteIndex,
  createRouteIndex,
  type RouteDefinition,
  type RouteIndex,
} from "../routing/index/route-index.ts";
import { type MatchedRequest, matchRequest } from "../routing/match-request.ts";
import { inMatchingOrder, priorityOf } from "../routing/matching-order.ts";
import { parseUpstreamTemplate, type UpstreamTemplate } from "../templates/upstream-template.ts";
import { runAtOnce, type Steps } from "../time-slices.ts";
import { decodeOrKeep } from "../urls/decode-or-keep.ts";
import { readRequestTarget } from "../urls/request-target.ts";
import { explainAddress } from "./explain-address.ts";
import { explainClaims } from "./explain-claims.ts";
import { explainForward } from "./explain-forward.ts";
import { explainMetadata } from "./explain-metadata.ts";
import { explainTransforms } from "./explain-transforms.ts";
import type { ExplainableRequest, ExplainedPlaceholder, ExplainedRoute, Explanation, Reason } from "./explanation.ts";
import { dropClaimHeaders, pretendRequest } from "./pretend-request.ts";
import { routeAccessOf } from "./route-access.ts";
import { policiesOf } from "./route-policies.ts";

/** Options of a gateway that an explanation can take into account. */
export type ExplainOptions = Pick<GatewayOptions, "limits" | "via" | "allowedOrigins">;

/** Explains requests by one configuration. */
export type Explain = (request: ExplainableRequest) => Explanation;

/** Explains requests in steps. */
export type ExplainInSteps = (request: ExplainableRequest) => Steps<Explanation>;

type ExplainableRoute = {
  readonly id: string;
  readonly index: number;
  readonly config: RouteConfig;
  way: RouteWay | undefined;
};
type Definition = RouteDefinition<ExplainableRoute>;
/** A route, and the index that knows only this one. */
type Candidate = Readonly<{ definition: Definition; alone: RouteIndex<ExplainableRoute> }>;

/** Explains what a gateway of this configuration would do with a request, without sending anything. */
export function explainRequest(
  config: GatewayConfig,
  request: ExplainableRequest,
  options?: ExplainOptions,
): Explanation {
  return createExplain(config, options)(request);
}

/** Prepares explanations of many requests; all is decided by the functions that the gateway itself uses. */
export function createExplain(config: GatewayConfig, options: ExplainOptions = {}): Explain {
  const explain = runAtOnce(prepareExplain(config, options));
  return (request) => runAtOnce(explain(request));
}

/** Prepares the same in steps, for a process that serves requests meanwhile. */
export function* prepareExplain(config: GatewayConfig, options: ExplainOptions): Steps<ExplainInSteps> {
  const global = requireParsed(config);
  const claimHeaders = claimHeadersOf(config.routes);
  const definitions = yield* mapInSteps(config.routes, define);
  const index = yield* buildRouteIndex(definitions);
  const inTurn = yield* mapInSteps(inMatchingOrder(definitions), toCandidate);

  return function* explain(request) {
    const req = pretendRequest(request);
    const found = matchRequest(index, req);
    const taker = found?.match.value;
    const routes = yield* mapInSteps(inTurn, (candidate) => explainRoute(candidate, req, taker));
    const { method, path, address } = request;
    const given = address === undefined ? {} : { address };
    const explained = { request: { method, path, host: req.headers.host!, ...given }, route: taker?.id, routes };
    if (found === undefined || taker === undefined) return { ...explained, ...noRoute };
    const { template } = definitions[taker.index]!;
    const { Metadata, Limits } = taker.config;
    const limits = compileLimits(Limits, global.Limits, options.limits);
    const way = (taker.way ??= compileWay({ config: taker.config, template, limits }, { global, options }));
    dropClaimHeaders(req, claimHeaders);
    const judgeClient = (): GatewayError | undefined => explainAddress(taker.config, global, address);
    const claims = explainClaims(taker.config, !isPreflight(req, readFraming(req)));
    const { changeTarget } = claims ?? {};
    const outcome = explainForward(way, req, found, { mountPath: request.mountPath ?? "", judgeClient, changeTarget });
    const transformed =
      outcome.forwarded && explainTransforms(outcome.forwarded, req, { config: taker.config, global });
    return {
      ...explained,
      ...outcome,
      forwarded: transformed && (claims?.tell(transformed) ?? transformed),
      access: routeAccessOf(taker.config, global),
      policies: policiesOf(taker.config, global),
      placeholders: explainPlaceholders(found, template),
      metadata: explainMetadata(mergeMetadata(global.Metadata, Metadata), global.Metadata, Metadata),
    };
  };
}

function toCandidate(definition: Definition): Candidate {
  return { definition, alone: createRouteIndex([definition]) };
}

function* mapInSteps<Item, Result>(
  items: readonly Item[],
  change: (item: Item, index: number) => Result,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    yield;
    results.push(change(item, index));
  }
  return results;
}

const noRoute = {
  outcome: "no-route",
  placeholders: [],
  forwarded: undefined,
  refusal: undefined,
  access: undefined,
  policies: [],
  metadata: [],
} as const;

function requireParsed(config: GatewayConfig): GlobalConfig {
  const global = globalConfigOf(config);
  if (global !== undefined) return global;
  throw new GatewayError("not-a-config", "explainRequest() takes what parseConfig() or loadConfig() returns.");
}

function define(config: RouteConfig, index: number): Definition {
  const route: ExplainableRoute = { id: config.Key ?? usualIdOf(config, index), index, config, way: undefined };
  const template = parseUpstreamTemplate(config.UpstreamPathTemplate, config.UpstreamHeaderTemplates);
  return defineRoute(route, template, config);
}

function explainRoute(
  { definition, alone }: Candidate,
  req: IncomingMessage,
  taker: ExplainableRoute | undefined,
): ExplainedRoute {
  const { id, index, config } = definition.value;
  const matches = matchRequest(alone, req) !== undefined;
  return {
    id,
    index,
    upstreamPathTemplate: config.UpstreamPathTemplate,
    methods: (config.UpstreamHttpMethod ?? []).map((method) => method.trim().toUpperCase()),
    host: config.UpstreamHost,
    priority: priorityOf(config.UpstreamPathTemplate, config.Priority),
    verdict: !matches ? "does-not-match" : definition.value === taker ? "takes" : "passed-by",
    reasons: matches ? [reasonOfOrder(definition, taker!)] : reasonsAgainst(definition, req),
  };
}

function reasonOfOrder({ value, host }: Definition, taker: ExplainableRoute): Reason {
  if (value === taker) return { aspect: "order", message: "it is the first that fits" };
  const taken = `it fits too, but ${JSON.stringify(taker.id)} comes first`;
  return {
    aspect: "order",
    message: host === undefined && taker.config.UpstreamHost !== undefined ? `${taken}, as it is for this host` : taken,
  };
}

function reasonsAgainst(
  definition: Definition,
  { method = "", url = "", headers }: IncomingMessage,
): readonly Reason[] {
  const target = readRequestTarget(url);
  if (target === undefined) return [{ aspect: "target", message: "the request names no path" }];
  const { path, query } = target;
  return findMisfits(definition, { method, path, query, host: headers.host, headers });
}

function explainPlaceholders(
  { match }: MatchedRequest<ExplainableRoute>,
  { origins }: UpstreamTemplate,
): ExplainedPlaceholder[] {
  return Object.entries(match.placeholders).map(([name, value]) => ({
    name,
    value,
    decoded: decodeOrKeep(value),
    from: origins.get(name) ?? "path",
  }));
}
