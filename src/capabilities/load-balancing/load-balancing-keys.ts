import { oneOf } from "../../schema/values.ts";
import { defineSection, routeKeys, section, word } from "../../schema/key.ts";
import type { z } from "zod";

// How a route chooses among its hosts.
const loadBalancerType: z.ZodType<"NoLoadBalancer" | "RoundRobin" | "LeastConnection"> = oneOf(
  ["NoLoadBalancer", "RoundRobin", "LeastConnection"],
  "load-balancer-unknown",
);

/** The section `LoadBalancerOptions`. */
const loadBalancerSection = defineSection(
  { name: "loadBalancer", heading: "LoadBalancerOptions" },
  {
    Type: word(loadBalancerType, {
      type: "`NoLoadBalancer` `RoundRobin` `LeastConnection`",
      means: "The first host, each in turn, or the one with the fewest open requests",
      otherwise: "`NoLoadBalancer`",
      problems: ["load-balancer-unknown", "word-blanks"],
      ocelot: "without sticky sessions and balancers of your own (refused: `load-balancer-unknown`)",
    }),
    RouteKeys: routeKeys,
  },
);

/** How one of several hosts is chosen. */
export const loadBalancingKeys = {
  route: {
    LoadBalancerOptions: section(loadBalancerSection, {
      type: "object",
      means: "How one of several hosts is chosen",
      otherwise: "global, else the first host",
      ocelot: "without sticky sessions and balancers of your own",
    }),
  },
  global: {
    LoadBalancerOptions: section(loadBalancerSection, {
      type: "object",
      means: "How one of several hosts is chosen, for routes without their own",
      otherwise: "the first host",
      ocelot: "without sticky sessions and balancers of your own",
    }),
  },
} as const;
