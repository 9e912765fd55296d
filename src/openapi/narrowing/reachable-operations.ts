import type { RouteConfig } from "../../config/sections.ts";
import type { RouteIndex } from "../../routing/index/route-index.ts";
import type { Steps } from "../../time-slices.ts";
import { type ClientPath, toClientPath } from "./client-path.ts";
import { type FoundOperation, mostOperations } from "./read-operations.ts";
import { type Bindings, createMatchTemplate, type MatchTemplate } from "./match-template.ts";
import { type FindableRoute, provenMethods } from "./prove-path.ts";

/** An operation that clients can call, and where they do. */
export type ReachableOperation<R> = Readonly<{
  found: FoundOperation;
  route: FindableRoute<R>;
  client: ClientPath;
  bindings: Bindings;
  /** That of the client, in lower case. */
  method: string;
}>;

/** The routes that lead to a service, and how they are found. */
export type RouteSettings<R> = Readonly<{
  routes: readonly FindableRoute<R>[];
  index: Pick<RouteIndex<R>, "find">;
  /** The placeholder that stands for the version of the document, and that version. */
  versionPlaceholder: string;
  version: string;
}>;

/** Finds out at which places clients can call operations; undefined where there are too many to tell. */
export function* findReachable<R>(
  operations: readonly FoundOperation[],
  knownMethods: readonly string[],
  settings: RouteSettings<R>,
): Steps<readonly ReachableOperation<R>[] | undefined> {
  const candidates = settings.routes.map((route) => ({ route, matches: createMatches(route, settings) }));
  const placed: ReachableOperation<R>[] = [];
  for (const found of operations) {
    for (const { route, matches } of candidates) {
      yield;
      const bindings = firstMatch(matches, found);
      if (bindings === undefined) continue;
      const client = toClientPath(route.template, bindings);
      const methods = clientMethods(found.method, route.config, knownMethods);
      const supposed = { segments: found.segments, route, client, bindings };
      for (const method of provenMethods(supposed, methods, settings.index)) {
        placed.push({ found, route, client, bindings, method });
      }
      if (placed.length > mostOperations) return undefined;
    }
  }
  return placed;
}

function firstMatch(matches: readonly MatchTemplate[], { segments }: FoundOperation): Bindings | undefined {
  for (const match of matches) {
    const bindings = match(segments);
    if (bindings !== undefined) return bindings;
  }
  return undefined;
}

/** Where the route has a placeholder for the version, paths of this version go before others. */
function createMatches<R>(
  { template, config }: FindableRoute<R>,
  { versionPlaceholder, version }: RouteSettings<R>,
): readonly MatchTemplate[] {
  const downstream = config.DownstreamPathTemplate.split("?", 1)[0]!;
  const name = versionPlaceholder.replace(/^\{|\}$/g, "");
  const anyVersion = createMatchTemplate(downstream, template.lastPathPlaceholder);
  const isVersioned = template.origins.get(name) === "path" || downstream.includes(`{${name}}`);
  const thisVersion = isVersioned ? createVersioned(downstream.replaceAll(`{${name}}`, version), name) : undefined;
  return [thisVersion, anyVersion].filter((match) => match !== undefined);

  function createVersioned(text: string, bound: string): MatchTemplate | undefined {
    const match = createMatchTemplate(text, template.lastPathPlaceholder);
    return match && ((path) => withVersion(match(path), bound));
  }

  function withVersion(bindings: Bindings | undefined, bound: string): Bindings | undefined {
    return bindings && { ...bindings, values: new Map(bindings.values).set(bound, version) };
  }
}

/** By which methods clients call an operation of some method. */
function clientMethods(
  method: string,
  { UpstreamHttpMethod, DownstreamHttpMethod }: RouteConfig,
  known: readonly string[],
): readonly string[] {
  const taken = (UpstreamHttpMethod ?? []).map((one) => one.toLowerCase()).filter((one) => known.includes(one));
  const takes = (UpstreamHttpMethod ?? []).length === 0 ? [method] : taken;
  if (DownstreamHttpMethod === undefined) return takes.includes(method) ? [method] : [];
  return DownstreamHttpMethod.toLowerCase() === method ? takes : [];
}
