import type { Steps } from "../../time-slices.ts";
import type { Place } from "../../json/place.ts";
import type { Report } from "../problems/problem-list.ts";
import type { AggregateConfig } from "../../aggregates/aggregate-keys.ts";
import type { SwaggerEndpointConfig } from "../../openapi/openapi-keys.ts";
import type { GlobalConfig, RouteConfig } from "../sections.ts";
import type { RouteTemplates } from "./template-texts.ts";

/** What could be read of an object that may still lack what it needs. */
export type Unchecked<Config> = Readonly<Partial<Config>>;

/** A route that was read, and where it stands. */
export type RouteEntry = Readonly<{
  index: number;
  /** What messages call it, such as `Routes[3]`. */
  name: string;
  place: Place;
  config: Unchecked<RouteConfig>;
}>;

/** An aggregate that was read, and where it stands. */
export type AggregateEntry = Readonly<{
  index: number;
  name: string;
  place: Place;
  config: Unchecked<AggregateConfig>;
}>;

/** Where a service has its OpenAPI documents, and where that stands. */
export type EndpointEntry = Readonly<{ place: Place; config: Unchecked<SwaggerEndpointConfig> }>;

/** A route while it is read: its index and the rest of the configuration are not known yet. */
export type OpenRoute = Readonly<{ place: Place; config: Unchecked<RouteConfig>; templates: RouteTemplates }>;

/** The global part, and where it stands. */
export type GlobalEntry = Readonly<{ place: Place; config: Unchecked<GlobalConfig> }>;

/**
 * The routes for which one of the keys is written, by themselves or for all routes, in their order: most rules are about
 * keys that few routes have, and would look at thousands in vain.
 */
export type RoutesAskingFor = (...keys: readonly (keyof RouteConfig)[]) => readonly RouteEntry[];

/** All that was read. */
export type Rulebook = Readonly<{
  routes: readonly RouteEntry[];
  routesAskingFor: RoutesAskingFor;
  aggregates: readonly AggregateEntry[];
  endpoints: readonly EndpointEntry[];
  global: GlobalEntry;
  report: Report;
}>;

/** A rule about one route alone. */
export type RouteRule = (route: OpenRoute, report: Report) => void;

/**
 * A rule about the whole configuration. One that looks at routes is a generator that yields at each: a gateway that reads
 * a large configuration while it runs serves requests in between. One about a key looks only at the routes asking for it.
 */
export type ConfigRule = (rulebook: Rulebook) => void | Steps<void>;
