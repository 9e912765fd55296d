import { integer, oneOf, text } from "../../schema/values.ts";
import { defineSection, routeKeys, scalar, section, type ValuesOf, word } from "../../schema/key.ts";
import type { z } from "zod";

// How a route chooses among its hosts.
const loadBalancerType: z.ZodType<"NoLoadBalancer" | "RoundRobin" | "LeastConnection" | "CookieStickySessions"> = oneOf(
  ["NoLoadBalancer", "RoundRobin", "LeastConnection", "CookieStickySessions"],
  "load-balancer-unknown",
);

/** The section `LoadBalancerOptions`. */
const loadBalancerSection = defineSection(
  { name: "loadBalancer", heading: "LoadBalancerOptions" },
  {
    Type: word(loadBalancerType, {
      type: "`NoLoadBalancer` `RoundRobin` `LeastConnection` `CookieStickySessions`",
      means:
        "The first host, each in turn, the one with the fewest open requests, or the one that the client had. See [Sticky sessions](#sticky-sessions)",
      otherwise: "`NoLoadBalancer`",
      problems: ["load-balancer-unknown", "word-blanks"],
      ocelot: "without balancers of your own (refused: `load-balancer-unknown`)",
    }),
    Key: scalar(text, {
      type: "cookie name",
      means: "`CookieStickySessions`: the gateway's cookie is named so, with `.host` behind it",
      otherwise: "global, else `.AspNetCore.Session`",
      examples: ["basket"],
      problems: ["sticky-sessions-invalid"],
      ocelot: "the session's cookie itself is not read",
    }),
    Expiry: scalar(integer, {
      type: "milliseconds",
      means: "`CookieStickySessions`: how long a client that sends no request keeps its host; -1: for ever",
      otherwise: "global, else until the browser is closed",
      examples: [1_200_000],
      problems: ["sticky-sessions-invalid"],
      ocelot: "without it the cookie lasts until the browser is closed, where Ocelot has 20 minutes",
      absent: "zero",
    }),
    RouteKeys: routeKeys,
  },
);

/** What is written about the choice among hosts. */
export type LoadBalancerConfig = ValuesOf<(typeof loadBalancerSection)["keys"]>;

/** How one of several hosts is chosen. */
export const loadBalancingKeys = {
  route: {
    LoadBalancerOptions: section(loadBalancerSection, {
      type: "object",
      means: "How one of several hosts is chosen",
      otherwise: "global, else the first host",
      ocelot: "without balancers of your own",
    }),
  },
  global: {
    StickyKey: scalar(text, {
      isSecret: true,
      type: "text",
      means:
        "The key by which `CookieStickySessions` marks hosts; as `${VARIABLE}`. Gateways with the same key understand each other's cookies, also after a restart",
      otherwise: "one of the process; the workers of `waymark serve` share one",
      problems: ["secret-unexpanded"],
    }),
    LoadBalancerOptions: section(loadBalancerSection, {
      type: "object",
      means: "How one of several hosts is chosen, for routes without their own",
      otherwise: "the first host",
      ocelot: "without balancers of your own",
    }),
  },
} as const;
