import type { GatewayConfig } from "./config/gateway-config.ts";
import type { RouteConfig } from "./config/schema.ts";
import { maskExplanation } from "./explain/mask-explanation.ts";
import type { Explanation } from "./explanation.ts";
import { type RedactingRoute, redactUrl } from "./redact.ts";

/** An explanation by a configuration, as it may be shown. */
export function maskByConfig({ routes }: GatewayConfig, explanation: Explanation): Explanation {
  return maskExplanation(explanation, (text, index) =>
    redactUrl(text, index === undefined ? noRoute : redactingRoute(routes[index]!)),
  );
}

const noRoute: RedactingRoute = { upstreamPathTemplate: "/", downstreamPathTemplate: "/" };

/** What of a route's configuration tells which parameters have literal values. */
export function redactingRoute({ UpstreamPathTemplate, DownstreamPathTemplate }: RouteConfig): RedactingRoute {
  return { upstreamPathTemplate: UpstreamPathTemplate, downstreamPathTemplate: DownstreamPathTemplate };
}
