import { GatewayError } from "../../errors.ts";
import type { Balancer, OwnBalancer } from "../../hosts/balancer.ts";
import { toHost } from "../../hosts/host.ts";
import { ownerOf } from "../../route-name.ts";
import { ignoreRejection } from "../../when-rejected.ts";
import { defineCapability, type RoutePart } from "../capability.ts";
import { lookUpName } from "../look-up-name.ts";
import { ownBalancerOf } from "../../discovery/balancer-of.ts";
import { tellBalancing } from "./tell-balancing.ts";

/** Chooses among the hosts of a route by a function of the user's, which the configuration names. */
export const ownBalancers = defineCapability<Map<string, RoutePart>>("balancers", {
  tells: tellBalancing,
  prepare: () => new Map(),
  compile(config, parts, { global, options }) {
    const name = ownBalancerOf(config, global);
    if (name === undefined) return undefined;
    const source = "the option balancers of createGateway()";
    const asker = `"LoadBalancerOptions" of ${ownerOf(config)}`;
    const own = lookUpName(options.balancers ?? {}, name, { source, asker });
    const part = parts.get(name) ?? { balancer: createOwnBalancer(own, name) };
    parts.set(name, part);
    return part;
  },
});

function createOwnBalancer(own: OwnBalancer, name: string): Balancer {
  return {
    choose(hosts, seeker) {
      const shown = hosts.map((host) => Object.freeze(toHost(host)));
      const answer = own(Object.freeze(shown), seeker.context);
      const chosen = hosts[shown.indexOf(answer)];
      if (chosen === undefined) {
        ignoreRejection(answer);
        throw choseNone(name);
      }
      seeker.isHostOfCode = true;
      return chosen;
    },
  };
}

function choseNone(name: string): GatewayError {
  return new GatewayError(
    "handler-misuse",
    `The balancer ${JSON.stringify(name)} of the option balancers did not return one of the hosts that it was given. ` +
      "Return one of the objects in its first argument, at once and not in a promise.",
  );
}
