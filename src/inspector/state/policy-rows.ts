import { describeCache, effectiveCache } from "../../capabilities/caching/effective-cache.ts";
import { describeLimit, effectiveLimit } from "../../capabilities/rate-limits/effective-limit.ts";
import type { CompiledConfiguration } from "../../compiling/compiled-configuration.ts";
import type { CompiledRoute } from "../../compiling/compiled-route.ts";
import { globalConfigOf } from "../../config/gateway-config.ts";
import { describeUpstream } from "../../secrets/describe-upstream.ts";
import { maskValues } from "../../secrets/redact.ts";
import { shownRouteId } from "../../secrets/shown-route.ts";
import { variableSecretsOf } from "../../secrets/variable-secrets.ts";
import type { Steps } from "../../time-slices.ts";
import type { RouteCount } from "../route-counts.ts";
import { mostRows } from "./most-rows.ts";

/** Of a route, under which name it is shown, and under which it is counted: that one may hold a secret. */
type Owner = Readonly<{ route: string; id: string }>;

/** How often the clients of a route may ask. */
type Limit = Owner & Readonly<{ rule: string; status: number }>;
/** What is cached of a route; a region only where nothing of its name is masked, since answers are purged by it. */
type Cache = Owner & Readonly<{ rule: string; region: string | undefined }>;
type Aggregate = Owner & Readonly<{ upstream: string; parts: readonly string[] }>;

/** What a configuration asks for of which the page shows counts; of each kind the first ones. */
export type Policies = Readonly<{
  limits: readonly Limit[];
  caches: readonly Cache[];
  aggregates: readonly Aggregate[];
}>;

/** The same with what was counted, by the names that may be shown. */
export type CountedPolicies = {
  readonly [Kind in keyof Policies]: readonly (Omit<Policies[Kind][number], "id"> & RouteCount)[];
};

/** What the routes of a configuration ask for, in steps. */
export function* listPolicies({ compiled, config }: CompiledConfiguration): Steps<Policies> {
  const global = globalConfigOf(config)!;
  const secrets = variableSecretsOf(config);
  const limits: Limit[] = [];
  const caches: Cache[] = [];
  const aggregates: Aggregate[] = [];
  for (const one of compiled) {
    yield;
    const { route, aggregate } = one;
    const owner = { id: route.id, route: shownRouteId(route) };
    const limit = aggregate === undefined ? effectiveLimit(route.config, global) : undefined;
    const cache = aggregate === undefined ? effectiveCache(route.config, global) : undefined;
    if (limit !== undefined && limits.length < mostRows) {
      limits.push({ ...owner, rule: maskValues(describeLimit(limit), secrets), status: limit.status });
    }
    if (cache !== undefined && caches.length < mostRows) {
      const rule = maskValues(describeCache(route.config, global)!, secrets);
      const { region = "" } = cache;
      caches.push({ ...owner, rule, region: maskValues(region, secrets) === region ? cache.region : undefined });
    }
    if (aggregate !== undefined && aggregates.length < mostRows) aggregates.push({ ...owner, ...describeParts(one) });
  }
  return { limits, caches, aggregates };
}

function describeParts({ route, aggregate }: CompiledRoute): Omit<Aggregate, keyof Owner> {
  const parts = aggregate!.parts.map(({ compiled, values }) => {
    return shownRouteId(compiled.route) + (values === undefined ? "" : " (once for each value)");
  });
  return { upstream: describeUpstream(route.config), parts };
}

/** Puts the counts of the routes beside what they ask for. */
export function countPolicies(policies: Policies, countOf: (routeId: string) => RouteCount): CountedPolicies {
  const count = <Row extends Owner>({ id, ...shown }: Row): Omit<Row, "id"> & RouteCount => ({
    ...shown,
    ...countOf(id),
  });
  return {
    limits: policies.limits.map(count),
    caches: policies.caches.map(count),
    aggregates: policies.aggregates.map(count),
  };
}
