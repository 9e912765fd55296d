import type { RouteConfig } from "../config/schema.ts";
import type { RedactingRoute } from "./redact.ts";

/** What of a route's configuration tells which parameters have literal values. */
export function redactingRoute({ UpstreamPathTemplate, DownstreamPathTemplate }: RouteConfig): RedactingRoute {
  return { upstreamPathTemplate: UpstreamPathTemplate, downstreamPathTemplate: DownstreamPathTemplate };
}
