import { providerAddress } from "../../capabilities/naming-service/provider-address.ts";
import { pathOf } from "../../urls/path-and-query.ts";
import { defaultPortOf, httpSchemeOf, isSecure, isWebSocketScheme } from "../../urls/schemes.ts";
import { goesToNamingService } from "../../discovery/provider-of.ts";
import type { Report } from "../problems/problem-list.ts";
import { locate, type Place } from "../../json/place.ts";
import type { ProviderConfig } from "../../capabilities/service-discovery/provider-keys.ts";
import type { ConfigRule, Rulebook } from "./rule.ts";
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

const thisMachine: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "::1"]);

/** Warns where the port of TLS is asked without TLS. */
export const warnOfPlainPorts: ConfigRule = function warnOfPlainPorts(rulebook) {
  forEachTarget(rulebook, ({ scheme, port, place, isService }, report) => {
    if (port !== defaultPortOf("https") || isSecure(scheme)) return;
    const key = isService ? "Scheme" : "DownstreamScheme";
    const secure = isWebSocketScheme(scheme) ? "wss" : "https";
    const message = `port ${port} is asked by ${scheme}, though it is the port of https: write "${key}": "${secure}"`;
    report("port-without-tls", place(), message);
  });
};

/** Warns where a route leads to the gateway's own address. */
export const warnOfOwnAddress: ConfigRule = function warnOfOwnAddress(rulebook) {
  const own = URL.parse(rulebook.global.config.BaseUrl ?? "");
  if (own === null || !/^https?:$/.test(own.protocol)) return;
  const ownPath = own.pathname.replace(/\/$/, "");
  const [ownHost, ownPort] = [hostKey(own.hostname), Number(own.port) || standardPort(own.protocol.slice(0, -1))];
  forEachTarget(rulebook, ({ host, port, template, place }, report) => {
    if (port !== ownPort || hostKey(host) !== ownHost || !pathOf(template).startsWith(ownPath)) return;
    const found = `${host}:${port} is the gateway's own address, as "BaseUrl" says`;
    report("own-address", place(), `${found}, so its requests would come back to it: write where the service is`);
  });
};

function forEachTarget(rulebook: Rulebook, look: (target: Target, report: Report) => void): void {
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

function standardPort(scheme: string): number {
  return defaultPortOf(httpSchemeOf(scheme))!;
}

/** All names of this machine count as one host. */
function hostKey(host: string): string {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return thisMachine.has(name) ? "localhost" : name;
}
