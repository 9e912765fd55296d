import { goesToNamingService, providerOf, usualType } from "../../discovery/provider-of.ts";
import { isEmptyNode, quote } from "../../json/json-node.ts";
import { takesEveryPath } from "../../routing/matching-order.ts";
import { isSecure } from "../../urls/schemes.ts";
import type { Report } from "../problems/problem-list.ts";
import { findMember, locate, type Place, placeWithin } from "../../json/place.ts";
import type { ConfigRule, RouteRule } from "./rule.ts";

const impossibleInHost = /[^!-~]|[/?#@{}\\]/;

const restrictions = ["ClientParameters", "AllowedOrigins", "UpstreamHttpMethod"];

/** Warns where only one of several hosts, or no host, will be asked. */
export const warnOfHosts: ConfigRule = function* warnOfHosts({ routes, global, report }) {
  for (const { config, place } of routes) {
    yield;
    const hosts = config.DownstreamHostAndPorts?.length ?? 0;
    const type = config.LoadBalancerOptions?.Type ?? global.config.LoadBalancerOptions?.Type ?? "NoLoadBalancer";
    if (hosts === 0 || (config.ServiceName === undefined && (hosts === 1 || type !== "NoLoadBalancer"))) continue;
    const at = locate(place, ["DownstreamHostAndPorts"]);
    if (config.ServiceName === undefined) {
      const remedy = 'write "LoadBalancerOptions": { "Type": "RoundRobin" } (or "LeastConnection") to use all';
      report("first-host-only", at, `only the first of ${hosts} hosts is asked while it answers: ${remedy}`);
      continue;
    }
    // Where there is no provider, the hosts are the way out, as another message says.
    const provider = providerOf(config, global.config);
    if (provider === undefined) continue;
    const found = `the hosts are not asked, since ${provider.Type ?? usualType} finds the "ServiceName"`;
    report("hosts-ignored", at, `${found}: remove the hosts, or "ServiceName" if they are meant`);
  }
};

/** Warns loudly where the certificate of the downstream is not verified. */
export const warnOfCertificates: ConfigRule = function* warnOfCertificates({ routesAskingFor, global, report }) {
  for (const { config, place } of routesAskingFor("DangerousAcceptAnyServerCertificateValidator")) {
    yield;
    const isNamed = goesToNamingService(config, global.config);
    const ofProvider = isNamed ? providerOf(config, global.config)?.Scheme : undefined;
    const schemes = [config.DownstreamScheme ?? global.config.DownstreamScheme, ofProvider];
    if (config.DangerousAcceptAnyServerCertificateValidator !== true || !schemes.some(isSecure)) continue;
    const at = locate(place, ["DangerousAcceptAnyServerCertificateValidator"]);
    const remedy = 'trust its certificate authority instead: "Tls": { "Ca": "ca.pem" }';
    const found = "ANY certificate of the downstream is accepted, an attacker's included";
    report("certificate-unverified", at, `${found}; ${remedy}`);
  }
};

/** Warns of a `Priority` that has no effect, as its route takes every path. */
export const warnOfPriority: RouteRule = function warnOfPriority({ config, place }, report) {
  if (!takesEveryPath(config.UpstreamPathTemplate ?? "") || [undefined, 0, 1].includes(config.Priority)) return;
  const reason = `${quote(config.UpstreamPathTemplate!)} takes every path and always has priority 0`;
  report("priority-ignored", locate(place, ["Priority"]), `Priority ${config.Priority} has no effect: ${reason}`);
};

/** Warns of an `UpstreamHost` that no request can carry. */
export const warnOfUpstreamHost: RouteRule = function warnOfUpstreamHost({ config, place }, report) {
  const host = config.UpstreamHost;
  if (host === undefined || !impossibleInHost.test(host)) return;
  const expected = "expected a host such as api.example.org, or one with its port";
  report(
    "host-never-matches",
    locate(place, ["UpstreamHost"]),
    `no request has this host: ${expected}, found ${quote(host)}`,
  );
};

/** Warns of an empty list of a route, which counts as absent and so forbids less than it seems to. */
export const warnOfEmptyLists: RouteRule = function warnOfEmptyLists({ place }, report) {
  reportEmptyLists(place, report);
};

/** The same for the global part and its provider. */
export const warnOfEmptyGlobalLists: ConfigRule = function warnOfEmptyGlobalLists({ global, report }) {
  reportEmptyLists(global.place, report);
  const provider = findMember(global.place, "ServiceDiscoveryProvider");
  if (provider !== undefined) reportEmptyLists(provider, report);
  for (const name of Object.keys(global.config.Providers ?? {})) {
    reportEmptyLists(locate(global.place, ["Providers", name]), report);
  }
};

function reportEmptyLists(place: Place, report: Report): void {
  for (const key of restrictions) {
    const member = findMember(place, key);
    if (member?.node.kind !== "array" || !member.node.items.every(({ kind }) => kind === "null")) continue;
    // Tools write an empty list of methods for what nobody set.
    if (member.node.items.length === 0 && key === "UpstreamHttpMethod") continue;
    const reason = "an empty list counts as absent, so it forbids nothing";
    report("list-empty", member, `${reason}: name at least one, or remove ${key}`);
  }
}

/** Warns of a header that is named, and yet may hold anything or be missing. */
export const warnOfEmptyHeaders: RouteRule = function warnOfEmptyHeaders({ place }, report) {
  const templates = findMember(place, "UpstreamHeaderTemplates");
  if (templates?.node.kind !== "object") return;
  for (const { name, node } of templates.node.members) {
    if (!isEmptyNode(node) || "isEmptied" in node) continue;
    const reason = "an empty template counts as absent, so it asks for no header";
    report("list-empty", placeWithin(templates, name, node), `${reason}: write one, or remove it`);
  }
};

/** Warns of an allowed origin that no browser sends. */
export const warnOfOrigins: ConfigRule = function* warnOfOrigins({ routesAskingFor, global, report }) {
  for (const { place, config } of [global, ...routesAskingFor("AllowedOrigins")]) {
    yield;
    config.AllowedOrigins?.forEach((origin, index) => {
      if (
        origin.trim() === "*" ||
        origin === "null" ||
        originOf(origin) === origin.trim().toLowerCase().replace(/\/$/, "")
      )
        return;
      const expected = 'expected scheme, host and port only, such as "https://app.example.org"';
      report("origin-invalid", locate(place, ["AllowedOrigins", index]), `${expected}, found ${quote(origin)}`);
    });
  }
};

/** Warns of a `BaseUrl` that is no URL. */
export const warnOfBaseUrl: ConfigRule = function warnOfBaseUrl({ global, report }) {
  const url = global.config.BaseUrl;
  if (url === undefined || /^https?:$/.test(URL.parse(url)?.protocol ?? "")) return;
  const expected = 'expected an absolute URL such as "https://api.example.org"';
  report("base-url-invalid", locate(global.place, ["BaseUrl"]), `${expected}, found ${quote(url)}`);
};

function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  return url === null || url.origin === "null" ? undefined : url.origin;
}
