import type { RouteConfig } from "../config/sections.ts";
import type { Engine } from "../forwarding/engines/engine.ts";
import { runAtOnce } from "../time-slices.ts";
import type { CompiledRoute } from "./compiled-route.ts";
import { compileRoutes, type RouteSurroundings } from "./compile-routes.ts";

/** What lets the gateway's own pages have locks and downstreams as routes have them, without being routes of the index. */
export type Apart = Readonly<{ compile: (config: RouteConfig) => CompiledRoute; engine: Pick<Engine, "forward"> }>;

/** Makes the function that compiles routes beside those of a configuration. */
export function createApart(surroundings: RouteSurroundings): Apart {
  // Keeping what the configuration was compared with would keep the one before in memory, and all before it.
  const kept: RouteSurroundings = { ...surroundings, earlierAt: () => undefined };
  return { engine: surroundings.engine, compile: compileApart };

  function compileApart(config: RouteConfig): CompiledRoute {
    return runAtOnce(compileRoutes([config], kept))[0]!;
  }
}
