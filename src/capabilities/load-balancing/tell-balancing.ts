import type { GlobalConfig, RouteConfig } from "../../config/sections.ts";
import type { Telling } from "../telling.ts";
import { balancerOf, isBuiltIn } from "../../discovery/balancer-of.ts";
import { stickinessOf } from "./sticky-settings.ts";

/** Tells how a route chooses among its hosts. */
export const tellBalancing: Telling = {
  name: "balancer",
  title: "hosts",
  keys: ["LoadBalancerOptions"],
  tell(route, global) {
    const type = balancerOf(route, global);
    const { DownstreamHostAndPorts: hosts = [], ServiceName } = route;
    if (type === "NoLoadBalancer" && (hosts.length < 2 || ServiceName !== undefined)) return undefined;
    if (!isBuiltIn(type)) return [`${type}, a function of the option balancers`];
    const weights = hosts.map(({ Weight = 1 }) => Weight);
    const isWeighed = weights.some((weight) => weight !== 1) && ServiceName === undefined;
    const shares = isWeighed ? `, weighing ${weights.join(" to ")}` : "";
    return [`${meanings[type]}${shares}`, ...tellStickiness(route, global)];
  },
};

const meanings = {
  NoLoadBalancer: "the first, and the next only where one refuses the connection (NoLoadBalancer)",
  RoundRobin: "in turns (RoundRobin)",
  LeastConnection: "the one with the fewest requests (LeastConnection)",
  CookieStickySessions: "each client stays at its own (CookieStickySessions)",
} as const;

function tellStickiness(route: RouteConfig, global: GlobalConfig): readonly string[] {
  const stickiness = stickinessOf(route, global);
  if (stickiness === undefined) return [];
  const { name, lifetime } = stickiness;
  const time = lifetime === undefined ? "for as long as the browser runs" : `for ${lifetime} s without a request`;
  const key = global.StickyKey === undefined ? "a key of the process" : "StickyKey";
  return [`by the cookie ${name}, ${time}, marked with ${key}; new clients in turns`];
}
