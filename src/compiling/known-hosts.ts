import type { RouteHost } from "../hosts/host.ts";
import type { CompiledRoute } from "./compiled-route.ts";

/** The hosts of a route of which more is known than where they are; an aggregate has none but those of its parts. */
export function knownHostsOf(compiled: CompiledRoute): readonly RouteHost[] {
  return mayKnowHosts(compiled) ? compiled.sending().hosts.look() : [];
}

/** Of thousands of routes that only name a host, none is compiled to learn that nothing is known of it. */
function mayKnowHosts({ aggregate, load, pipeline, route }: CompiledRoute): boolean {
  if (aggregate !== undefined) return false;
  const { ServiceName: service, DownstreamHostAndPorts: hosts = [] } = route.config;
  return load.list !== undefined || pipeline.healthChecks.length > 0 || service !== undefined || hosts.length > 1;
}
