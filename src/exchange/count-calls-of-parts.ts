import type { OverloadError } from "../errors.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Counts the call of an aggregate's part until its exchange is over; what comes back refuses it. `isExtra`: it takes a place
 * besides that of the whole.
 */
export type TrackCall = (
  call: Exchange,
  terms: Readonly<{ isExtra: boolean; concurrent: number }>,
) => OverloadError | undefined;

/** Prepares how the calls of parts are counted. */
export function createTrackCall(
  places: { taken: number },
  findOverload: (limit: number) => OverloadError | undefined,
): TrackCall {
  return function trackCall({ compiled: { load }, cancellation }, { isExtra, concurrent }) {
    const taken = isExtra ? 1 : 0;
    places.taken += taken;
    load.running += 1;
    cancellation.onCancel(() => {
      places.taken -= taken;
      load.running -= 1;
    });
    return findOverload(concurrent);
  };
}
