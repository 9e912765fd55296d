import type { UpstreamResponse } from "../delegating-handler.ts";
import { createByteRoom } from "../bodies/pieces/byte-room.ts";
import type { PartCall } from "./part-call.ts";
import { readAhead } from "./read-ahead.ts";
import type { HeldBytes } from "./room-for-bodies.ts";

/** What has become of a call: the head of its answer is there, or it has failed. */
export type Settled = Readonly<{ call: PartCall }> &
  (Readonly<{ answer: UpstreamResponse }> | Readonly<{ answer: undefined; reason: unknown }>);

/** The calls of one part, and what has become of each. */
export type AskedPart = Readonly<{ key: string; settled: readonly Settled[]; isList: boolean }>;

/** Makes a call; what it fails with is told, not thrown. */
export type MakeCall = (call: PartCall) => Promise<Settled>;

/** How much is read ahead of the body of one call, and of those of all calls together. */
export type AheadBounds = Readonly<{ mostBytes: number; mostTogether: number }>;

/** Prepares how the calls for one request are made. */
export function createMakeCall({ mostBytes, mostTogether }: AheadBounds, all: HeldBytes): MakeCall {
  const bound = { mostBytes, room: createByteRoom(mostTogether), all };
  return async function makeCall(call) {
    try {
      const answer = await call.send();
      if (call.hasScarceConnection()) readAhead(answer, call, bound);
      return { call, answer };
    } catch (reason) {
      return { call, answer: undefined, reason };
    }
  };
}
