import type { GlobalConfig, RouteConfig } from "../config/sections.ts";

/** Lines about one thing that a route asks for; the first one is short enough for a list of routes. */
type Told = readonly [brief: string, ...more: string[]];

/** How people are told about one thing that a route can ask for, by the same settings that the gateway compiles. */
export type Telling = Readonly<{
  /** By what programs find it. */
  name: string;
  /** By what people do. */
  title: string;
  /** The keys of a route that it tells about; what no telling names is told as it is written. */
  keys: readonly (keyof RouteConfig)[];
  /** Undefined where the route does not ask for it. No line holds a secret of the configuration. */
  tell: (route: RouteConfig, global: GlobalConfig) => Told | undefined;
}>;
