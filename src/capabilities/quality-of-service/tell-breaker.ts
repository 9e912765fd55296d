import type { Telling } from "../telling.ts";
import { breakerSettingsOf, describeBreaker } from "./effective-quality.ts";

/** Tells when a host of a route is left alone. */
export const tellBreaker: Telling = {
  name: "breaker",
  title: "failing hosts",
  keys: ["QoSOptions"],
  tell(route, global) {
    const settings = breakerSettingsOf(route, global);
    if (settings === undefined) return undefined;
    return [
      describeBreaker(settings),
      "counted for each host of the route, in the memory of each process",
      "where all hosts are left alone: answered 503 (circuit-open), with Retry-After",
    ];
  },
};
