import { providerOf, usualType } from "../../discovery/provider-of.ts";
import { locate } from "../../json/place.ts";
import type { ConfigRule } from "./rule.ts";

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
