import type { RouteConfig } from "../config/sections.ts";
import { credentialNamesOf } from "./credentials-of-schemes.ts";
import { maskValues, redactUrl } from "./redact.ts";
import { isSecretHeader, secretMask } from "./secret-names.ts";
import { variableSecretsOf } from "./variable-secrets.ts";

/** What a route asks of requests, as people may read it: host, template and headers, secrets masked. */
export function describeUpstream(route: RouteConfig): string {
  const { UpstreamHost = "", UpstreamPathTemplate } = route;
  return redactUrl(UpstreamHost.toLowerCase() + UpstreamPathTemplate, route) + conditionsOf(route);
}

/** Two routes may differ by the headers that they ask for alone. */
function conditionsOf(route: RouteConfig): string {
  const { UpstreamHeaderTemplates = {} } = route;
  const credentials = credentialNamesOf(route);
  const conditions = Object.entries(UpstreamHeaderTemplates).map(([name, text]) => {
    const shown = isSecretHeader(name, credentials) ? secretMask : maskValues(text, variableSecretsOf(route));
    return ` [${name.toLowerCase()}: ${shown}]`;
  });
  return conditions.join("");
}
