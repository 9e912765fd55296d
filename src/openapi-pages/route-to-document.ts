import type { RouteConfig } from "../config/sections.ts";
import type { DocumentPlace } from "../openapi/where-documents-are.ts";

type Target = Omit<RouteConfig, "UpstreamPathTemplate" | "DownstreamPathTemplate">;

/** The route that leads to a document: over it the gateway reaches the service as over the routes of that service. */
export function routeToDocument(
  { endpoint, source }: DocumentPlace,
  routes: readonly RouteConfig[],
): RouteConfig & Readonly<{ DownstreamPathTemplate: string }> {
  const own = routes.filter(({ SwaggerKey }) => SwaggerKey === endpoint.Key);
  if ("url" in source) {
    const { protocol, hostname, port, pathname, search } = new URL(source.url);
    const Host = hostname.replace(/^\[|\]$/g, "");
    const host = port === "" ? { Host } : { Host, Port: Number(port) };
    const scheme = protocol.slice(0, -1) as NonNullable<RouteConfig["DownstreamScheme"]>;
    return createRoute(pathname + search, {
      ...tlsOf(own[0]),
      DownstreamScheme: scheme,
      DownstreamHostAndPorts: [host],
    });
  }
  const { service: ServiceName, path } = source;
  const like = [...own, ...routes].find((route) => route.ServiceName === ServiceName);
  const { ServiceNamespace, ServiceProvider, DownstreamScheme } = like ?? {};
  return createRoute(path, { ...tlsOf(like), ServiceName, ServiceNamespace, ServiceProvider, DownstreamScheme });
}

/** A brace is none of a placeholder; and whatever the file says of balancing for all, here hosts take turns. */
function createRoute(path: string, target: Target): RouteConfig {
  const DownstreamPathTemplate = path.replaceAll("{", "%7B").replaceAll("}", "%7D");
  const LoadBalancerOptions = { Type: "RoundRobin" };
  return { UpstreamPathTemplate: "/", DownstreamPathTemplate, LoadBalancerOptions, ...target };
}

function tlsOf({ Tls, DangerousAcceptAnyServerCertificateValidator }: Partial<RouteConfig> = {}): Target {
  return { Tls, DangerousAcceptAnyServerCertificateValidator };
}
