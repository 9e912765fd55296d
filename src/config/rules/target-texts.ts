import { bareServiceName } from "../../capabilities/naming-service/bare-service-name.ts";
import { pathOf } from "../../urls/path-and-query.ts";
import type { HostConfig } from "../../forwarding/downstream-keys.ts";
import type { RouteEntry } from "./rule.ts";

/** The name of a service as the naming service sees it; undefined where it depends on the request. */
export function fixedServiceName({ config }: RouteEntry): string | undefined {
  const name = config.ServiceName;
  if (name === undefined || name.includes("{")) return undefined;
  return bareServiceName(name.trim()).replace(/\/$/, "");
}

/** The hosts that a route may reach; those that could not be read are left out. */
export function hostsOf({ config }: RouteEntry): readonly HostConfig[] {
  if (config.ServiceName !== undefined) return [];
  const hosts = (config.DownstreamHostAndPorts ?? []) as readonly (Partial<HostConfig> | undefined)[];
  return hosts.filter((host) => host?.Host !== undefined) as readonly HostConfig[];
}

/** The last placeholder of an upstream path, if it may bring slashes, or nothing at all. */
export function openPlaceholder(upstreamTemplate: string): string | undefined {
  const lastSegment = pathOf(upstreamTemplate).split("/").at(-1)!;
  return [...lastSegment.matchAll(/\{(\w+)\}/g)].at(-1)?.[1];
}
