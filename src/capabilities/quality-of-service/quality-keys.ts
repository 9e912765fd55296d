import { defineSection, routeKeys, scalar, section, type ValuesOf } from "../../schema/key.ts";
import { decimal, integer, milliseconds } from "../../schema/values.ts";

// A time-out reads one of its keys, a breaker the others. Bounds of these are for a rule: where there is no breaker, nobody
// is asked for numbers that one could work with.
const qualitySection = defineSection(
  { name: "quality", heading: "QoSOptions" },
  {
    MinimumThroughput: scalar(integer, {
      type: "count",
      means:
        "After how many failures in a row a host is left alone; with a `FailureRatio`, of how many calls at least the ratio must be",
      otherwise: "global; `100` where a `FailureRatio` stands; else no breaker",
      examples: [5],
      problems: ["breaker-invalid"],
      ocelot: "counted for each host of the route; taken as it is written, from 1",
    }),
    FailureRatio: scalar(decimal, {
      type: "a number above 0, up to 1",
      means: "Which share of the calls within `SamplingDuration` must fail for a host to be left alone",
      otherwise: "global, else failures in a row count",
      examples: [0.5],
      problems: ["breaker-invalid"],
      ocelot: "taken as it is written",
    }),
    SamplingDuration: scalar(integer, {
      type: "milliseconds",
      means: "How far back calls count for `FailureRatio`",
      otherwise: "global, else `10000`",
      examples: [30_000],
      problems: ["breaker-invalid"],
      ocelot: "taken as it is written",
    }),
    BreakDuration: scalar(integer, {
      type: "milliseconds",
      means: "How long a host is left alone, until one request tries it",
      otherwise: "global, else `5000`",
      examples: [10_000],
      problems: ["breaker-invalid"],
      ocelot: "taken as it is written",
    }),
    Timeout: scalar(milliseconds, {
      type: "milliseconds",
      means:
        "How long the answer may take, from the last byte of the request to its header; goes before `Timeout` in seconds",
      otherwise: "global, else the `Timeout` in seconds",
      examples: [2500],
      ocelot: "is taken as it is written, whatever its size; a time-out is answered with 504, in Ocelot with 503",
      absent: "zero",
    }),
    RouteKeys: routeKeys,
  },
);

/** What is written about the quality that a route's hosts must have. */
export type QualityConfig = ValuesOf<(typeof qualitySection)["keys"]>;

/** How long an answer may take, and when a host is no longer asked. */
export const qualityKeys = {
  route: {
    QoSOptions: section(qualitySection, {
      type: "object",
      means:
        "When a host that fails is left alone, and how long the answer may take, in milliseconds; see [Failing hosts](failing-hosts.md)",
      otherwise: "global, key by key",
      ocelot: "a breaker for each host of the route; 500 to 599 are failures",
    }),
  },
  global: {
    QoSOptions: section(qualitySection, {
      type: "object",
      means: "The same for all routes, key by key where a route does not say it",
      otherwise: "none",
      ocelot: "a breaker for each host of each route; 500 to 599 are failures",
    }),
  },
} as const;
