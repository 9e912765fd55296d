import { defineSection, required, scalar, section, type ValuesOf } from "../../schema/key.ts";
import { count, seconds, value } from "../../schema/values.ts";

const askedPath = value(
  "a path with what it may be followed by, such as /health?deep, as it is asked: from / on, without blanks and #",
  (written) => (/^\/[!-"$-~]*$/.test(written) ? written : undefined),
  { code: "health-path-invalid" },
);

const healthCheckSection = defineSection(
  { name: "healthCheck", heading: "HealthCheck" },
  {
    Path: required(
      scalar(askedPath, {
        type: "path",
        means: "What each host is asked for, by GET; a status from 200 to 299 says that it is well",
        otherwise: "required",
        examples: ["/health"],
        problems: ["health-path-missing", "health-path-invalid"],
      }),
    ),
    Interval: scalar(seconds, {
      type: "seconds",
      means: "How long after a check the next one begins",
      otherwise: "10",
      examples: [5],
    }),
    Timeout: scalar(seconds, { type: "seconds", means: "How long a check may take", otherwise: "2" }),
    Healthy: scalar(count, {
      type: "count",
      means: "After how many good checks in a row a host that is down is asked again",
      otherwise: "2",
    }),
    Unhealthy: scalar(count, {
      type: "count",
      means: "After how many bad checks in a row a host is passed over",
      otherwise: "3",
    }),
  },
);

/** What is written about checks of hosts. */
export type HealthCheckConfig = ValuesOf<(typeof healthCheckSection)["keys"]>;

/** How hosts are checked while no client asks. */
export const healthCheckKeys = {
  route: {
    HealthCheck: section(healthCheckSection, {
      type: "object",
      means: "How the hosts of the route are checked; see [Failing hosts](failing-hosts.md#health-checks)",
      otherwise: "none",
    }),
  },
} as const;
