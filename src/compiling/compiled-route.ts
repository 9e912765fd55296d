import type { PartValues } from "../aggregates/part-values.ts";
import type { Guard } from "../capabilities/capability.ts";
import type { RouteLoad } from "../capabilities/limits/route-limits.ts";
import type { ConnectionSettings } from "../capabilities/tls/connection-settings.ts";
import type { HostMemory } from "../hosts/list-of-route.ts";
import type { Route } from "../route.ts";
import type { UpstreamTemplate } from "../templates/upstream-template.ts";
import type { CompiledForward } from "./compile-forward.ts";
import type { RoutePipeline } from "./compile-pipeline.ts";
import type { RouteWay } from "./compile-way.ts";

/** A route with everything that start-up can decide. */
export type CompiledRoute = RouteWay &
  CompiledForward &
  Readonly<{
    route: Route;
    template: UpstreamTemplate;
    /** What the route asks for besides being forwarded. */
    pipeline: RoutePipeline;
    /** Only of an aggregate: the routes behind it, and how they are asked. */
    aggregate: CompiledAggregate | undefined;
    connection: ConnectionSettings;
    /** The same object in all versions of a route, so that requests from before a reload count, too. */
    load: RouteLoad & HostMemory;
    /** The same object as long as a route stays as it is. */
    version: RouteVersion;
  }>;

/** Whether a route was removed or changed by a reload: then its WebSockets end; and whether a lock of it was. */
type RouteVersion = { isRetired: boolean; isLockedAnew?: boolean };

/** A part of an aggregate: its route, as it is behind the aggregate's template. */
export type CompiledPart = Readonly<{
  key: string;
  /** The placeholders of the route's own templates. */
  names: readonly string[];
  compiled: CompiledRoute;
  /** Where its values come from; undefined for a part that is asked once. */
  values: PartValues | undefined;
  /** The guards that judge who asks, whatever the call. */
  clientGuards: readonly Guard[];
}>;

/** The parts of an aggregate, in the order of its answer. */
export type CompiledAggregate = Readonly<{ parts: readonly CompiledPart[] }>;
