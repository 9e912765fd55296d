import { seconds } from "../../schema/values.ts";
import { scalar } from "../../schema/key.ts";

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
  },
} as const;
