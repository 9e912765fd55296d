import { createMetadataReader } from "../capabilities/metadata/get-metadata.ts";
import { mergeOnDemand, type Metadata } from "../capabilities/metadata/merge-metadata.ts";
import { isDynamicRoute, usualIdOf } from "../config/dynamic-routes.ts";
import type { GlobalConfig, RouteConfig } from "../config/sections.ts";
import type { Route } from "../route.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";

const merged = Symbol("merged");

type MergingRoute = Readonly<{ [merged]: () => Metadata }>;

// One accessor for all routes: with one of its own each would get a hidden class of its own, and reading it would be slow.
const metadata: PropertyDescriptor & ThisType<MergingRoute> = {
  enumerable: true,
  get() {
    return this[merged]();
  },
};

// One object, so that all routes share what it compiles to.
const noMetadataOptions = {};

/** What a route is besides what is written for it. */
type RouteIdentity = Pick<Route, "id"> & Partial<Pick<Route, "kind" | "parts">>;

const noParts: readonly Route[] = Object.freeze([]);

/** Makes a route as middleware, handlers and responders see it. */
export function createRoute(
  config: RouteConfig,
  { id, kind = isDynamicRoute(config) ? "dynamic" : "route", parts = noParts }: RouteIdentity,
  global: GlobalConfig,
): Route {
  const layers = { global: global.Metadata, route: config.Metadata };
  const route = {
    id,
    kind,
    parts,
    upstreamPathTemplate: config.UpstreamPathTemplate,
    downstreamPathTemplate: config.DownstreamPathTemplate,
    serviceName: config.ServiceName,
  };
  const options = global.MetadataOptions ?? noMetadataOptions;
  const getMetadata = createMetadataReader({ routeId: id, layers, options, variables: variableSecretsOf(config) });
  Object.defineProperty(route, merged, { value: mergeOnDemand(layers) });
  Object.defineProperty(route, "metadata", metadata);
  return Object.freeze(Object.assign(route, { getMetadata, config })) as Route;
}

/** What a route is called: its key, or its place. */
export function idOf(route: RouteConfig, index: number): string {
  return route.Key ?? usualIdOf(route, index);
}
