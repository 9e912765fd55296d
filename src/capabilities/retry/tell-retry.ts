import type { Telling } from "../telling.ts";
import { retryTermsOf } from "./retry-terms.ts";

/** Tells which requests of a route are sent once more. */
export const tellRetry: Telling = {
  name: "retry",
  title: "sent again",
  keys: ["Retry"],
  tell(route) {
    const terms = retryTermsOf(route);
    if (terms === undefined) return undefined;
    const { count, statuses, methods, share } = terms;
    return [
      `${count === 1 ? "once" : `${count} times`} at most, without an answer or at ${[...statuses].join(", ")}`,
      `only ${[...methods].join(", ")}, to another host where there is one`,
      `at most ${Number((share * 100).toFixed(2))} % of the requests of ten seconds, but always three`,
    ];
  },
};
