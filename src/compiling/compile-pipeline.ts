import type {
  Around,
  CapabilitySurroundings,
  ChangeAnswer,
  ChangeRequest,
  ChangeTarget,
  FindBreaker,
  Guard,
  RoutePart,
} from "../capabilities/capability.ts";
import type { HealthCheck } from "../capabilities/health-checks/health-check.ts";
import type { RouteConfig } from "../config/sections.ts";
import type { DelegatingHandler } from "../delegating-handler.ts";
import type { Balancer } from "../hosts/balancer.ts";
import { pipeline } from "../pipeline.ts";

/** What the capabilities do for one route, flattened by the place on a request's way. */
export type RoutePipeline = Readonly<{
  guards: readonly Guard[];
  targetChanges: readonly ChangeTarget[];
  requestChanges: readonly ChangeRequest[];
  aroundHost: readonly Around[];
  handlers: readonly DelegatingHandler[];
  aroundSending: readonly Around[];
  answerChanges: readonly ChangeAnswer[];
  balancers: readonly Balancer[];
  breakers: readonly FindBreaker[];
  healthChecks: readonly HealthCheck[];
}>;

/** What the routes of one configuration share, by the name of the capability. */
export type SharedParts = ReadonlyMap<string, unknown>;

/** Pipelines by their parts, in order: routes that ask for the same share one. */
type KnownPipelines = { pipeline: RoutePipeline | undefined; readonly behind: WeakMap<RoutePart, KnownPipelines> };

const known: KnownPipelines = { pipeline: undefined, behind: new WeakMap() };

/** Prepares what the routes of a configuration share. */
export function prepareShared(surroundings: CapabilitySurroundings, earlier: SharedParts | undefined): SharedParts {
  const shared = new Map<string, unknown>();
  for (const { name, prepare, sharesWith } of pipeline) {
    const own = sharesWith === undefined ? prepare(surroundings, earlier?.get(name)) : shared.get(sharesWith.name);
    shared.set(name, own);
  }
  return shared;
}

/** Puts into force what the capabilities have prepared for a configuration, as it takes the place of the one before. */
export function settleShared(shared: SharedParts): void {
  for (const { name, settle } of pipeline) settle?.(shared.get(name));
}

/** Compiles what a route asks of the capabilities. */
export function compilePipeline(
  config: RouteConfig,
  shared: SharedParts,
  surroundings: CapabilitySurroundings,
): RoutePipeline {
  return pipelineOf(compileParts(config, shared, surroundings));
}

/** Compiles what each capability does for a route, in their order. */
export function compileParts(
  config: RouteConfig,
  shared: SharedParts,
  surroundings: CapabilitySurroundings,
): readonly RoutePart[] {
  const parts: RoutePart[] = [];
  for (const { name, compile } of pipeline) {
    const part = compile(config, shared.get(name), surroundings);
    if (part !== undefined) parts.push(part);
  }
  return parts;
}

/** The pipeline of some parts; one without any runs nothing. */
export function pipelineOf(parts: readonly RoutePart[]): RoutePipeline {
  const found = parts.reduce(goBehind, known);
  return (found.pipeline ??= flatten(parts));
}

function goBehind({ behind }: KnownPipelines, part: RoutePart): KnownPipelines {
  let next = behind.get(part);
  if (next === undefined) behind.set(part, (next = { pipeline: undefined, behind: new WeakMap() }));
  return next;
}

function flatten(parts: readonly RoutePart[]): RoutePipeline {
  return {
    guards: stepsOf(parts, "guard"),
    targetChanges: stepsOf(parts, "changeTarget"),
    requestChanges: stepsOf(parts, "changeRequest"),
    aroundHost: stepsOf(parts, "aroundHost"),
    handlers: stepsOf(parts, "handlers").flat(),
    aroundSending: stepsOf(parts, "aroundSending"),
    answerChanges: stepsOf(parts, "changeAnswer"),
    balancers: stepsOf(parts, "balancer"),
    breakers: stepsOf(parts, "breaker"),
    healthChecks: stepsOf(parts, "healthCheck"),
  };
}

function stepsOf<Name extends keyof RoutePart>(
  parts: readonly RoutePart[],
  name: Name,
): NonNullable<RoutePart[Name]>[] {
  return parts.flatMap((part) => (part[name] === undefined ? [] : [part[name] as NonNullable<RoutePart[Name]>]));
}
