import { closestName } from "../../closest-name.ts";
import { orOwnName } from "../../schema/value-forms.ts";
import { integer, text, value } from "../../schema/values.ts";
import { defineSection, routeKeys, scalar, section, type ValuesOf, word } from "../../schema/key.ts";

const words = ["NoLoadBalancer", "RoundRobin", "LeastConnection", "CookieStickySessions"];

// What is no mistyped word is the name of a balancer of the user's: the option `balancers` must have it.
const loadBalancerType = value(
  `one of ${words.join(", ")}, or a name of the option "balancers"`,
  (written) => {
    const name = written.trim();
    const word = words.find((one) => one.toLowerCase() === name.toLowerCase());
    return word ?? (closestName(name, words) === undefined ? name : undefined);
  },
  { code: "load-balancer-unknown", words, form: orOwnName(words) },
);

/** The section `LoadBalancerOptions`. */
const loadBalancerSection = defineSection(
  { name: "loadBalancer", heading: "LoadBalancerOptions" },
  {
    Type: word(loadBalancerType, {
      type: "`NoLoadBalancer` `RoundRobin` `LeastConnection` `CookieStickySessions`, or a name of yours",
      means:
        "The first host, each in turn, the one with the fewest open requests, the one that the client had, or what your own balancer chooses. See [Sticky sessions](#sticky-sessions) and [Balancers of your own](#balancers-of-your-own)",
      otherwise: "`NoLoadBalancer`",
      problems: ["load-balancer-unknown", "word-blanks"],
      ocelot:
        "in any spelling; balancers of your own are functions of the option `balancers`, and an unknown one stops the start",
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
      ocelot: "same",
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
      ocelot: "same",
    }),
  },
} as const;
