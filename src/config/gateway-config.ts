import { hash } from "node:crypto";
import type { ConfigProblem } from "../errors.ts";
import type { AggregateConfig } from "../aggregates/aggregate-keys.ts";
import type { SwaggerEndpointConfig } from "../openapi/openapi-keys.ts";
import type { GlobalConfig, RouteConfig } from "./sections.ts";

/** A configuration that was read and found good: what `parseConfig` and `loadConfig` return. */
export type GatewayConfig = Readonly<{
  /** The gateway's own external address, as configured. */
  baseUrl: string | undefined;
  routes: readonly RouteConfig[];
  /** What was doubtful, each logged once. */
  warnings: readonly ConfigProblem[];
}>;

const digests = new WeakMap<object, string>();
const placesOfRoutes = new WeakMap<object, PlaceInFile>();
const filesRead = new WeakMap<object, readonly string[]>();
const globalConfigs = new WeakMap<object, GlobalConfig>();
const aggregateConfigs = new WeakMap<object, readonly AggregateConfig[]>();
const endpointConfigs = new WeakMap<object, readonly SwaggerEndpointConfig[]>();

/** What a configuration says, as it was read. */
type ReadConfiguration = Readonly<{
  routes: readonly RouteConfig[];
  aggregates: readonly AggregateConfig[];
  /** Where the services have their OpenAPI documents. */
  endpoints: readonly SwaggerEndpointConfig[];
  global: GlobalConfig;
}>;

/** Makes the opaque configuration; its other parts are reachable only through functions such as {@link globalConfigOf}. */
export function createGatewayConfig(
  { routes, aggregates, endpoints, global: globalConfig }: ReadConfiguration,
  warnings: readonly ConfigProblem[],
): GatewayConfig {
  const config = Object.freeze({ baseUrl: globalConfig.BaseUrl, routes, warnings });
  globalConfigs.set(config, globalConfig);
  aggregateConfigs.set(config, aggregates);
  endpointConfigs.set(config, endpoints);
  return config;
}

/** The global part of a configuration; undefined for anything that `parseConfig` did not return. */
export function globalConfigOf(config: unknown): GlobalConfig | undefined {
  return typeof config === "object" && config !== null ? globalConfigs.get(config) : undefined;
}

/** The aggregates of a configuration, in its order. */
export function aggregatesOf(config: object): readonly AggregateConfig[] {
  return aggregateConfigs.get(config) ?? [];
}

/** Where the services of a configuration have their OpenAPI documents, in its order. */
export function endpointsOf(config: object): readonly SwaggerEndpointConfig[] {
  return endpointConfigs.get(config) ?? [];
}

/** Remembers which text a configuration was read from. */
export function rememberDigest(config: GatewayConfig, digest: string): void {
  digests.set(config, digest);
}

/** The digest of the text that a configuration was read from; undefined where it came as an object. */
export function digestOf(config: GatewayConfig): string | undefined {
  return digests.get(config);
}

/** Remembers which files a configuration was read from. */
export function rememberFiles(config: GatewayConfig, paths: readonly string[]): GatewayConfig {
  filesRead.set(config, paths);
  return config;
}

/** The files that a configuration was read from; none where it came as a text or an object. */
export function filesOf(config: GatewayConfig): readonly string[] {
  return filesRead.get(config) ?? [];
}

/** Where something stands in one of several files: the offset at which it begins. */
export type PlaceInFile = Readonly<{ path: string; offset: number }>;

/** Remembers where a route stands in one of several files. */
export function rememberPlaceOf(route: object, place: PlaceInFile): void {
  placesOfRoutes.set(route, place);
}

/** Where a route stands in one of several files; undefined where there is only one. */
export function placeOfRoute(route: object): PlaceInFile | undefined {
  return placesOfRoutes.get(route);
}

/** In which of several files a route stands; undefined where there is only one. */
export function fileOfRoute(route: object): string | undefined {
  return placesOfRoutes.get(route)?.path;
}

/** By which two texts are told apart. */
export function digestText(text: string): string {
  return hash("sha256", text);
}
