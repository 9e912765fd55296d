import type { Telling } from "../telling.ts";
import { describeHealthCheck, toHealthCheck } from "./health-check.ts";

/** Tells how the hosts of a route are checked. */
export const tellHealthCheck: Telling = {
  name: "health-check",
  title: "checked",
  keys: ["HealthCheck"],
  tell({ HealthCheck: config }) {
    if (config === undefined) return undefined;
    const check = toHealthCheck(config);
    const { healthy, unhealthy, timeout } = check;
    return [
      describeHealthCheck(check),
      `down after ${unhealthy} failures in a row, up after ${healthy} good answers, each within ${timeout / 1_000} s`,
      "a host that is down is passed over, unless all are",
    ];
  },
};
