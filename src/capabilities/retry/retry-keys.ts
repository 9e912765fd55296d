import { z } from "zod";
import { defineSection, list, methods, scalar, section, type ValuesOf } from "../../schema/key.ts";
import { httpMethods, numberFrom, wholeNumber } from "../../schema/values.ts";

const retrySection = defineSection(
  { name: "retry", heading: "Retry" },
  {
    Count: scalar(wholeNumber(1, 10), {
      type: "count",
      means: "How often a request is sent once more at most",
      otherwise: "`1`",
      absent: "zero",
    }),
    Statuses: list(
      z.array(wholeNumber(400, 599, { expected: "a status from 400 to 599" }), "a list of statuses, such as [503]"),
      {
        type: "list of statuses",
        means: "Which answers are not taken, beside no answer at all",
        otherwise: "`502`, `503`, `504`",
        examples: [[502, 503, 504]],
      },
    ),
    Methods: methods(httpMethods, {
      type: "list of methods",
      means: "Which methods may be sent twice",
      otherwise: "`GET`, `HEAD`, `PUT`, `DELETE`, `OPTIONS`, `TRACE`",
      examples: [["GET", "HEAD"]],
      problems: ["method-unknown"],
    }),
    Budget: scalar(numberFrom(0, 1), {
      type: "a number from 0 to 1",
      means: "Which share of the route's requests of ten seconds may be sent once more; three always may",
      otherwise: "`0.2`",
    }),
  },
);

/** What is written about requests that are sent once more. */
export type RetryConfig = ValuesOf<(typeof retrySection)["keys"]>;

/** Which requests are sent once more. */
export const retryKeys = {
  route: {
    Retry: section(retrySection, {
      type: "object",
      means:
        "Which requests are sent once more when there is no answer, or a bad one; see [Failing hosts](failing-hosts.md#retries)",
      otherwise: "none is",
      problems: ["retry-misplaced"],
    }),
  },
} as const;
