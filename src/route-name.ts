import type { RouteConfig } from "./config/sections.ts";

/**
 * What a route is called wherever its place in the configuration tells nothing: its key, else its methods, host, template
 * and header templates. No two routes share it: a configuration is refused for a repeated key, or for a repeated route.
 */
export function nameOfRoute(route: RouteConfig): string {
  if (route.Key !== undefined) return `key ${route.Key}`;
  const { UpstreamHost = "", UpstreamHeaderTemplates = {} } = route;
  const headers = Object.entries(UpstreamHeaderTemplates).map(([name, text]) => ` [${name.toLowerCase()}: ${text}]`);
  return `route ${methodsOf(route)}${UpstreamHost.toLowerCase()}${route.UpstreamPathTemplate}${headers.sort().join("")}`;
}

/** What a route is called where a message says who asks for something. */
export function ownerOf({ Key }: Pick<RouteConfig, "Key">, withoutKey = "a route"): string {
  return Key === undefined ? withoutKey : `route ${JSON.stringify(Key)}`;
}

/** The methods of a route with a blank behind them; empty where it takes all. */
export function methodsOf({ UpstreamHttpMethod = [] }: RouteConfig): string {
  return UpstreamHttpMethod.length === 0 ? "" : `${UpstreamHttpMethod.toSorted().join()} `;
}
