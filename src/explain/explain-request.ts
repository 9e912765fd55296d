import type { IncomingMessage } from "node:http";
import { claimHeadersOf } from "../capabilities/claims/claim-headers.ts";
import { defineRoute } from "../compiling/index-routes.ts";
import { fileOfRoute, type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import type { GlobalConfig } from "../config/sections.ts";
import { GatewayError } from "../errors.ts";
import { findMisfits } from "../routing/find-misfits.ts";
import {
  buildRouteIndex,
  createRouteIndex,
  type RouteDefinition,
  type RouteIndex,
} from "../routing/index/route-index.ts";
import { matchRequest } from "../routing/match-request.ts";
import { inMatchingOrder, priorityOf } from "../routing/matching-order.ts";
import { parseUpstreamTemplate } from "../templates/upstream-template.ts";
import { runAtOnce, type Steps } from "../time-slices.ts";
import { readRequestTarget } from "../urls/request-target.ts";
import { entriesOf, type Entry } from "./entries.ts";
import { explainAggregate, isAggregate } from "./explain-aggregate.ts";
import {
  compileTaking,
  explainTaken,
  type ExplainOptions,
  type ExplainSurroundings,
  type TakingRoute,
} from "./explain-taken.ts";
import { explainUnlisted } from "./explain-unlisted.ts";
import type { ExplainableRequest, ExplainedRoute, Explanation, Reason } from "./explanation.ts";
import { withholdingOf } from "./explain-withholding.ts";
import { pretendRequest } from "./pretend-request.ts";

/** Explains requests by one configuration. */
export type Explain = (request: ExplainableRequest) => Explanation;

/** Explains requests in steps. */
export type ExplainInSteps = (request: ExplainableRequest) => Steps<Explanation>;

/** An entry, and what decides about its requests: compiled for the first one that it takes. */
type Explainable = Readonly<{ entry: Entry; taking: () => TakingRoute }>;
type Definition = RouteDefinition<Explainable>;
/** An entry, and the index that knows only this one. */
type Candidate = Readonly<{ definition: Definition; alone: RouteIndex<Explainable> }>;

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
  const withholding = withholdingOf(global, options);
  const surroundings = { global, options, claimHeaders: claimHeadersOf(config.routes), withholding };
  const definitions = yield* mapInSteps(entriesOf(config), (entry) => define(entry, surroundings));
  const index = yield* buildRouteIndex(definitions);
  const inTurn = yield* mapInSteps(inMatchingOrder(definitions), toCandidate);

  return function* explain(request) {
    const req = pretendRequest(request);
    const found = matchRequest(index, req);
    const taker = found?.match.value;
    const routes = yield* mapInSteps(inTurn, (candidate) => explainRoute(candidate, req, taker));
    const { method, path, address } = request;
    const given = address === undefined ? {} : { address };
    const explained = { request: { method, path, host: req.headers.host!, ...given }, route: taker?.entry.id, routes };
    const asked = { ...surroundings, request };
    if (found === undefined || taker === undefined)
      return { ...explained, ...noRoute, ...explainUnlisted(config, asked) };
    const { template } = taker.taking();
    return {
      ...explained,
      ...(isAggregate(taker.entry)
        ? explainAggregate(taker.entry, template, { ...asked, found })
        : explainTaken(taker.taking(), found, asked)),
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

function define(entry: Entry, surroundings: ExplainSurroundings): Definition {
  const { config } = entry;
  const template = parseUpstreamTemplate(config.UpstreamPathTemplate, config.UpstreamHeaderTemplates);
  let compiled: TakingRoute | undefined;
  const taking = (): TakingRoute => (compiled ??= compileTaking(config, template, surroundings));
  return defineRoute({ entry, taking }, template, config);
}

function explainRoute(
  { definition, alone }: Candidate,
  req: IncomingMessage,
  taker: Explainable | undefined,
): ExplainedRoute {
  const { id, index, kind, config, aggregate } = definition.value.entry;
  const matches = matchRequest(alone, req) !== undefined;
  return {
    id,
    kind,
    file: fileOfRoute(aggregate?.written ?? config),
    index,
    upstreamPathTemplate: config.UpstreamPathTemplate,
    methods: (config.UpstreamHttpMethod ?? []).map((method) => method.trim().toUpperCase()),
    host: config.UpstreamHost,
    priority: priorityOf(config.UpstreamPathTemplate, config.Priority),
    verdict: !matches ? "does-not-match" : definition.value === taker ? "takes" : "passed-by",
    reasons: matches ? [reasonOfOrder(definition, taker!)] : reasonsAgainst(definition, req),
  };
}

function reasonOfOrder({ value, host }: Definition, taker: Explainable): Reason {
  if (value === taker) return { aspect: "order", message: "it is the first that fits" };
  const { id, config } = taker.entry;
  const taken = `it fits too, but ${JSON.stringify(id)} comes first`;
  return {
    aspect: "order",
    message: host === undefined && config.UpstreamHost !== undefined ? `${taken}, as it is for this host` : taken,
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
