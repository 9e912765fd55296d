import { defineSection, routeKeys, scalar, section } from "../../schema/key.ts";
import { flag, integer, secondsOrZero } from "../../schema/values.ts";

const httpHandlerSection = defineSection(
  { name: "httpHandler", heading: "HttpHandlerOptions" },
  {
    AllowAutoRedirect: scalar(flag, {
      type: "boolean",
      means: "Whether the gateway follows redirects of the downstream that stay on its origin",
      otherwise: "global, else `false`",
      ocelot: "only to the same origin, and toward the naming service only below the same `ServiceName`",
    }),
    MaxConnectionsPerServer: scalar(integer, {
      type: "count",
      means:
        "How many requests of the route a host may have at the same time, each on a connection; others wait in line. 0 or less: any number",
      otherwise: "global, else any number",
      examples: [10],
      ocelot: "same",
    }),
    PooledConnectionLifetimeSeconds: scalar(secondsOrZero, {
      type: "seconds from 0",
      means: "How old a connection may be to be used once more; 0: each request gets one of its own",
      otherwise: "global, else any age",
      examples: [120],
      ocelot: "no age unless it is written, where Ocelot has 120 seconds; a negative one is refused",
    }),
    UseCookieContainer: scalar(flag, {
      type: "boolean",
      means: "Refused when it is `true`: it would be one jar of cookies for all clients",
      otherwise: "global, else `false`",
      problems: ["cookie-jar"],
      ocelot: "`true` is refused: one client's cookies would be sent for all others",
    }),
    RouteKeys: routeKeys,
  },
);

/** How the gateway behaves as a client of the downstream. */
export const httpHandlerKeys = {
  route: {
    HttpHandlerOptions: section(httpHandlerSection, {
      type: "object",
      means: "Redirects and connections toward the downstream",
      otherwise: "global, key by key",
      ocelot: "without a jar of cookies and without a proxy",
    }),
  },
  global: {
    HttpHandlerOptions: section(httpHandlerSection, {
      type: "object",
      means: "The same for all routes, key by key where a route does not say it",
      otherwise: "none",
      ocelot: "without a jar of cookies and without a proxy",
    }),
  },
} as const;
