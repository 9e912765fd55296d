import { defineSection, routeKeys, scalar, section, type ValuesOf } from "../../schema/key.ts";
import { milliseconds } from "../../schema/values.ts";

// A time-out reads one of its keys, a breaker the others: no capability may read those of another.
const qualitySection = defineSection(
  { name: "quality", heading: "QoSOptions" },
  {
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
      means: "How long the answer may take, in milliseconds",
      otherwise: "global, key by key",
      ocelot: "there is no circuit breaker yet",
    }),
  },
  global: {
    QoSOptions: section(qualitySection, {
      type: "object",
      means: "The same for all routes, key by key where a route does not say it",
      otherwise: "none",
      ocelot: "there is no circuit breaker yet",
    }),
  },
} as const;
