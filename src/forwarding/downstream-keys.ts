import type { z } from "zod";
import { httpMethod, oneOf, port, scheme, text, weight } from "../schema/values.ts";
import { defineSection, required, scalar, sections, word, type ValuesOf } from "../schema/key.ts";

/** One fixed downstream host. */
const hostSection = defineSection(
  { name: "host", heading: "Host" },
  {
    Host: required(
      scalar(text, {
        type: "text",
        means: "A host name or an address",
        otherwise: "required",
        problems: ["host-missing", "host-invalid"],
        ocelot: "same",
      }),
    ),
    Port: scalar(port, {
      type: "whole number",
      means: "The port",
      otherwise: "that of the scheme",
      problems: ["port-invalid", "port-without-tls", "own-address"],
      ocelot: "same",
      absent: "zero",
    }),
    Weight: scalar(weight, {
      type: "1 to 100",
      means: "How much of the requests it takes beside the others, with `RoundRobin` and `LeastConnection`",
      otherwise: "`1`",
      examples: [3],
      problems: ["weight-invalid"],
    }),
  },
);

/** One fixed downstream host of a route. */
export type HostConfig = ValuesOf<(typeof hostSection)["keys"]>;

// WebSockets pass where a route itself says so.
const globalScheme: z.ZodType<"http" | "https"> = oneOf(["http", "https"], "scheme-unknown");

/** What is asked downstream, and where. */
export const downstreamKeys = {
  route: {
    DownstreamPathTemplate: required(
      scalar(text, {
        type: "template",
        means: "The path, and query, that is asked downstream",
        otherwise: "required",
        examples: ["/api/orders/{id}", "/{everything}"],
        problems: [
          "template-missing",
          "template-slash",
          "template-double-slash",
          "template-scheme",
          "placeholder-missing",
          "rest-misplaced",
          "request-always-refused",
        ],
        ocelot:
          "a placeholder that is missing upstream stops the start; queries are passed on byte for byte; `/` toward the naming service keeps its slash",
      }),
    ),
    DownstreamScheme: word(scheme, {
      type: "`http` `https` `ws` `wss`",
      means: "The scheme downstream",
      otherwise: "global, else that of the instance, else `http`",
      problems: ["scheme-unknown", "word-blanks"],
      ocelot: "same",
    }),
    DownstreamHostAndPorts: sections(hostSection, {
      type: "list of hosts",
      means: "Where the route goes, if it has no `ServiceName`",
      otherwise: "none",
      examples: [[{ Host: "localhost", Port: 5001 }]],
      problems: ["target-missing", "first-host-only", "hosts-ignored"],
      ocelot: "where the connection is refused, the next host is asked once",
    }),
    DownstreamHttpMethod: word(httpMethod, {
      type: "method",
      means: "The method that is used downstream",
      otherwise: "the client's",
      problems: ["method-unknown", "method-unfit"],
      ocelot: "`CONNECT`, `TRACE`, and `HEAD` for requests of other methods stop the start",
    }),
  },
  global: {
    DownstreamScheme: word(globalScheme, {
      type: "`http` `https`",
      means: "The scheme downstream, for routes without their own",
      otherwise: "that of the instance, else `http`",
      problems: ["scheme-unknown", "word-blanks"],
      ocelot: "holds for written routes, too",
    }),
  },
} as const;
