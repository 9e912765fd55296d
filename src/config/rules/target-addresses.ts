import { providerAddress } from "../../capabilities/naming-service/provider-address.ts";
import { defaultPortOf, httpSchemeOf, isSecure } from "../../urls/schemes.ts";
import { goesToNamingService } from "../../discovery/provider-of.ts";
import type { Report } from "../problems/problem-list.ts";
import { locate, type Place } from "../../json/place.ts";
import type { ProviderConfig } from "../../capabilities/service-discovery/provider-keys.ts";
import type { Rulebook } from "./rule.ts";
import { hostsOf } from "./target-texts.ts";

/** Where requests are sent, and where that is written. */
type Target = Readonly<{
  scheme: string;
  host: string;
  port: number;
  template: string;
  place: () => Place;
  isService: boolean;
}>;

/** Looks at every address to which requests are sent. */
export function forEachTarget(rulebook: Rulebook, look: (target: Target, report: Report) => void): void {
  for (const route of rulebook.routes) {
    const scheme = route.config.DownstreamScheme ?? rulebook.global.config.DownstreamScheme ?? "http";
    const template = route.config.DownstreamPathTemplate ?? "/";
    for (const [index, { Host: host, Port: port = standardPort(scheme) }] of hostsOf(route).entries()) {
      const place = (): Place => locate(route.place, ["DownstreamHostAndPorts", index, "Port"]);
      look({ scheme, host, port, template, place, isService: false }, rulebook.report);
    }
  }
  const provider = providerTarget(rulebook);
  if (provider !== undefined) look(provider, rulebook.report);
}

/** The naming service, if a route asks it by the provider's own scheme. */
function providerTarget({ routes, global }: Rulebook): Target | undefined {
  const provider: Partial<ProviderConfig> | undefined = global.config.ServiceDiscoveryProvider;
  const isAsked = routes.some(({ config }) => {
    const isUsual = config.ServiceProvider === undefined && goesToNamingService(config, global.config);
    return isUsual && !isSecure(config.DownstreamScheme);
  });
  if (provider === undefined || !isAsked) return undefined;
  const { Scheme: scheme = "http", Host: host = providerAddress.host, Port: port = providerAddress.port } = provider;
  const place = (): Place => locate(global.place, ["ServiceDiscoveryProvider", "Port"]);
  return { scheme, host, port, template: "/", place, isService: true };
}

/** The port of a scheme that no port stands beside. */
export function standardPort(scheme: string): number {
  return defaultPortOf(httpSchemeOf(scheme))!;
}
