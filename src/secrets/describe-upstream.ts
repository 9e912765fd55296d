import type { RouteConfig } from "../config/schema.ts";
import { redactUrl } from "./redact.ts";
import { redactingRoute } from "./redacting-route.ts";
import { isSecretHeader, secretMask } from "./secrets.ts";

/** What a route asks of requests, as people may read it: host, template and headers, secrets masked. */
export function describeUpstream(route: RouteConfig): string {
  const { UpstreamHost = "", UpstreamPathTemplate } = route;
  return redactUrl(UpstreamHost.toLowerCase() + UpstreamPathTemplate, redactingRoute(route)) + conditionsOf(route);
}

/** Two routes may differ by the headers that they ask for alone. */
function conditionsOf({ UpstreamHeaderTemplates = {} }: RouteConfig): string {
  const conditions = Object.entries(UpstreamHeaderTemplates).map(([name, text]) => {
    return ` [${name.toLowerCase()}: ${isSecretHeader(name) ? secretMask : text}]`;
  });
  return conditions.join("");
}
