import type { GatewayError } from "../errors.ts";
import type { RoomForWindows, WindowHolder } from "./room-for-windows.ts";

// What has given no more, and has nothing left to give, holds no more either.
const bytesOfSmallWindow = 262_144;

/** When one decompressor may work. */
export type Demand = Readonly<{
  /** Calls back when somebody reads, and the window has room. */
  await: (firstByte: number, begin: () => void) => void;
  /** All that has come in so far is decompressed, and came to so many bytes. */
  isMet: (given: number) => void;
  readerTakes: () => void;
  readerTakesNoMore: () => void;
  end: () => void;
}>;

/** What becomes of a decompressor that has to be given up, and how large its window is by its first byte. */
type DemandSettings = Readonly<{ windowOf: (firstByte: number) => number; giveUp: (reason: GatewayError) => void }>;

/** Lets a decompressor take memory only when somebody reads, and as the room has it. */
export function createDemand({ windowOf, giveUp }: DemandSettings, room: RoomForWindows): Demand {
  let holder: WindowHolder | undefined;
  let leftAloneSince: number | undefined;
  let isRead = false;
  let whenRead: (() => void) | undefined;
  return { await: awaitDemand, isMet, readerTakes, readerTakesNoMore, end };

  function awaitDemand(firstByte: number, begin: () => void): void {
    holder ??= { bytes: windowOf(firstByte), leftAloneSince: () => leftAloneSince, giveUp };
    if (!isRead) whenRead = () => awaitDemand(firstByte, begin);
    else if (holder.bytes === 0) begin();
    else room.enter(holder, begin);
  }

  function isMet(given: number): void {
    if (given <= bytesOfSmallWindow) end();
  }

  function readerTakes(): void {
    leftAloneSince = undefined;
    isRead = true;
    whenRead?.();
    whenRead = undefined;
  }

  function readerTakesNoMore(): void {
    leftAloneSince = performance.now();
  }

  function end(): void {
    if (holder !== undefined) room.leave(holder);
  }
}
