import type { Telling } from "../capabilities/telling.ts";
import { answerLimitOf } from "../capabilities/timeouts/answer-limit.ts";
import { effectiveSection } from "../schema/effective-section.ts";

/** Tells how long an answer of a route may take to begin. */
export const tellTimeLimit: Telling = {
  name: "time-limit",
  title: "time limit",
  keys: ["Timeout"],
  tell(route, global) {
    const quality = effectiveSection(route.QoSOptions, global.QoSOptions, route.Key);
    const written = quality?.Timeout ?? route.Timeout ?? global.Timeout;
    if (written === undefined) return undefined;
    const status = global.TimeoutStatus ?? 504;
    return [`${answerLimitOf(route, global) / 1_000} s until an answer begins, else ${status}`];
  },
};
