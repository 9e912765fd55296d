import { scalar } from "../../schema/key.ts";
import { seconds, wholeNumber } from "../../schema/values.ts";

/** How long an answer may take. */
export const timeoutKeys = {
  route: {
    Timeout: scalar(seconds, {
      type: "seconds",
      means: "How long the answer may take, from the last byte of the request to its header",
      otherwise: "global, else 90",
      problems: ["timeout-too-long"],
      ocelot: "may have a fraction; a time-out is answered with 504, in Ocelot with 503",
      absent: "zero",
    }),
  },
  global: {
    Timeout: scalar(seconds, {
      type: "seconds",
      means: "How many seconds an answer may take, for routes without their own",
      otherwise: "90",
      problems: ["timeout-too-long"],
      ocelot: "may have a fraction; a time-out is answered with 504, in Ocelot with 503",
      absent: "zero",
    }),
    TimeoutStatus: scalar(wholeNumber(503, 504, { expected: "503 or 504" }), {
      type: "`503` `504`",
      means: "The status of time-outs: `503` for clients that expect Ocelot's",
      otherwise: "`504`",
      examples: [503],
    }),
  },
} as const;
