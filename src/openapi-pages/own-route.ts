import type { CompiledConfiguration } from "../compiling/compiled-configuration.ts";
import type { CompiledRoute } from "../compiling/compiled-route.ts";
import type { Live } from "../compiling/live.ts";
import type { RouteConfig } from "../config/sections.ts";

/** Makes the function that tells the route whose locks hold for the documents: what holds for all routes, no more. */
export function createOwnRoute(live: Live, allowAnonymous: boolean): () => CompiledRoute {
  const config: RouteConfig = {
    // The name in logs and metrics, and that of its counts.
    Key: "openapi-documents",
    UpstreamPathTemplate: "/{everything}",
    DownstreamPathTemplate: "/{everything}",
    ...(allowAnonymous ? { AuthenticationOptions: { AllowAnonymous: true } } : {}),
  };
  let known: Readonly<{ present: CompiledConfiguration; route: CompiledRoute }> | undefined;

  return function ownRoute() {
    const { present } = live;
    if (known?.present !== present) known = { present, route: present.apart.compile(config) };
    return known.route;
  };
}
