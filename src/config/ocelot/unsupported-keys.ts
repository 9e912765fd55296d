import type { SectionName } from "../sections.ts";

const sharedKeys = {
  ConnectionClose: "connections are kept alive",
} as const;

/** Keys of Ocelot and its add-ons that are known but not implemented, and what to do instead. */
export const unsupportedKeys: Readonly<Record<SectionName, Readonly<Record<string, string>>>> = {
  root: {
    Logging: "it belongs to ASP.NET; pass a logger to createGateway",
    AllowedHosts: 'it belongs to ASP.NET; use "UpstreamHost" of the routes',
  },
  route: {
    ...sharedKeys,
    UpstreamTemplate: 'write "UpstreamPathTemplate"',
    DownstreamTemplate: 'write "DownstreamPathTemplate", "DownstreamScheme" and "DownstreamHostAndPorts"',
  },
  host: { GlobalHostKey: "write the host itself" },
  httpHandler: {
    UseProxy: "no proxy is used, whatever the environment names; requests go straight to the downstream",
    UseTracing: "it belongs to a tracer that is registered in code; use the observers of waymark/opentelemetry",
  },
  global: {
    ...sharedKeys,
    AdministrationPath: "there is no administration API",
    UseServiceDiscovery: '"ServiceName" of a route alone decides',
    ServiceNamespace: 'it belongs into a route; write "Namespace" at the provider for all',
    RouteKeysConfig: 'it belongs into an entry of "Aggregates"',
  },
  provider: {
    Provider: 'write "Type"',
    Address: 'write "Host" and "Port"',
  },
};
