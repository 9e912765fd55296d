import type { AggregateConfig } from "../aggregates/aggregate-keys.ts";
import { createAskParts } from "../aggregates/ask-parts.ts";
import { valuesOfPart } from "../aggregates/part-values.ts";
import { usualCalls } from "../aggregates/too-many-calls-by-values.ts";
import { compileLimits } from "../capabilities/limits/route-limits.ts";
import { lookUpName } from "../capabilities/look-up-name.ts";
import { parseUpstreamTemplate, type UpstreamTemplate } from "../templates/upstream-template.ts";
import type { Steps } from "../time-slices.ts";
import { idOfAggregate, partKeysOf, routeBehind, routeOfAggregate } from "./aggregate-routes.ts";
import { compileForward } from "./compile-forward.ts";
import { compileParts, pipelineOf } from "./compile-pipeline.ts";
import type { CompiledPart, CompiledRoute } from "./compiled-route.ts";
import type { RouteSurroundings } from "./compile-routes.ts";
import { compileWay } from "./compile-way.ts";
import { createRoute } from "./create-route.ts";

/** What aggregates are compiled with besides: the routes, and the aggregates of the configuration before. */
type AggregateSurroundings = RouteSurroundings &
  Readonly<{
    routes: readonly CompiledRoute[];
    before: Readonly<{ compiled: readonly CompiledRoute[] }> | undefined;
  }>;

/** Compiles the aggregates of a configuration, in its order. */
export function* compileAggregates(
  configs: readonly AggregateConfig[],
  surroundings: AggregateSurroundings,
): Steps<CompiledRoute[]> {
  if (configs.length === 0) return [];
  const { routes, before } = surroundings;
  const byKey = new Map(routes.map((route) => [route.route.config.Key, route]));
  const loads = new Map((before?.compiled ?? []).filter(isAggregate).map(({ route, load }) => [route.id, load]));
  const compiled: CompiledRoute[] = [];
  for (const [index, config] of configs.entries()) {
    yield;
    const id = idOfAggregate(config, index);
    const parts = partKeysOf(config).map((key) => byKey.get(key)!);
    compiled.push({
      ...compileAggregate({ id, config, routes: parts }, surroundings),
      load: loads.get(id) ?? { running: 0, clientless: 0, sockets: 0, list: undefined },
    });
  }
  return compiled;
}

function isAggregate({ aggregate }: CompiledRoute): boolean {
  return aggregate !== undefined;
}

type AggregateSources = Readonly<{ id: string; config: AggregateConfig; routes: readonly CompiledRoute[] }>;

function compileAggregate(
  { id, config, routes }: AggregateSources,
  surroundings: AggregateSurroundings,
): Omit<CompiledRoute, "load"> {
  const { global, options } = surroundings;
  const asRoute = routeOfAggregate(config);
  const template = parseUpstreamTemplate(config.UpstreamPathTemplate, config.UpstreamHeaderTemplates);
  // Its upload is one of each part's.
  const upload = Math.min(...routes.map((route) => route.limits.upload));
  const limits = { ...compileLimits({}, global.Limits, options.limits), upload };
  const parts = routes.map((route) => compilePart(route, { config, template }, surroundings));
  const ask = createAskParts({
    parts: parts.map(({ key, values: source }) => ({ key, source })),
    replacesFailures: config.OnFailure === "Null",
    mostCalls: config.MaxCalls ?? usualCalls,
    aggregator: aggregatorOf(id, config, options.aggregators),
  });
  return {
    ...compileWay({ config: asRoute, template, limits }, { global, options }),
    route: createRoute(asRoute, { id, kind: "aggregate", parts: routes.map(({ route }) => route) }, global),
    template,
    forward: createForward(ask),
    sending: routes[0]!.sending,
    pipeline: pipelineOf([]),
    aggregate: { parts },
    connection: routes[0]!.connection,
    version: { isRetired: false },
  };
}

/** Made apart: a function of its compiling would keep the configuration before in memory, and all before it. */
function createForward(ask: ReturnType<typeof createAskParts>): CompiledRoute["forward"] {
  return ({ parts, context }) => ask(parts!, context);
}

function aggregatorOf(
  id: string,
  { Aggregator: name }: AggregateConfig,
  known: RouteSurroundings["options"]["aggregators"] = {},
): ReturnType<typeof lookUpName<NonNullable<typeof known>[string]>> | undefined {
  const source = "the option aggregators of createGateway()";
  return name === undefined ? undefined : lookUpName(known, name, { source, asker: `Aggregate ${JSON.stringify(id)}` });
}

type Behind = Readonly<{ config: AggregateConfig; template: UpstreamTemplate }>;

/** Compiles a route once more: behind the aggregate its values come from the aggregate's template. */
function compilePart(
  route: CompiledRoute,
  { config: aggregate, template }: Behind,
  surroundings: AggregateSurroundings,
): CompiledPart {
  const { global, options, engine, monitor } = surroundings;
  const own = route.route.config;
  const config = routeBehind(aggregate, own);
  const parts = compileParts(config, surroundings.parts, surroundings);
  const pipeline = pipelineOf(parts);
  const forwarding = { global, options, engine, monitor };
  const way = compileWay({ config, template, limits: route.limits }, forwarding);
  const { connection, load: memory } = route;
  return {
    key: own.Key!,
    names: [...route.template.origins.keys()],
    compiled: {
      ...route,
      ...way,
      template,
      pipeline,
      // Hosts, their turns and their failures are those of the route, whichever way it is asked.
      ...compileForward({ config, way, connection, pipeline, memory }, forwarding, route.sending),
    },
    values: valuesOfPart(aggregate, own.Key!),
    clientGuards: parts.flatMap(({ guard, judgesCalls }) => (guard === undefined || judgesCalls ? [] : [guard])),
  };
}
