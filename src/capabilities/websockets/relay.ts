import type { Socket } from "node:net";
import { listen } from "../../unattended/guarded.ts";
import { createStandstillWatch } from "../../unattended/watch-standstill.ts";
import { createFrameBoundary } from "./frame-boundary.ts";

/** One direction of a tunnel. */
export type Relay = Readonly<{ pass: (chunk: Buffer) => void; stop: () => void; isBetweenFrames: () => boolean }>;

/** How a relay ends by itself: its source is not read while the destination takes nothing, so that nobody notices it leave. */
type RelaySettings = Readonly<{
  /** Milliseconds in which the destination, while bytes wait for it, neither takes nor gives any. */
  standstill?: number | undefined;
  stuck: () => void;
}>;

const longestStandstill = 60_000;

/** Passes on what comes in, no faster than the other side takes it. */
export function startRelay(
  source: Socket,
  destination: Socket,
  { standstill = longestStandstill, stuck }: RelaySettings,
): Relay {
  const { follow, isBetweenFrames } = createFrameBoundary();
  const watchStandstill = createStandstillWatch(standstill);
  let endWatch: (() => void) | undefined;
  const passing = listen(source, "data", pass);
  const resuming = listen(destination, "drain", resume);
  return { pass, stop, isBetweenFrames };

  function pass(chunk: Buffer): void {
    follow(chunk);
    if (destination.write(chunk)) return;
    source.pause();
    endWatch ??= watchStandstill(createStandstill(destination), stuck);
  }

  function resume(): void {
    letGo();
    source.resume();
  }

  function letGo(): void {
    endWatch?.();
    endWatch = undefined;
  }

  function stop(): void {
    letGo();
    source.off("data", passing);
    destination.off("drain", resuming);
  }
}

/** Tells whether nothing has gone either way over a connection since the last look. */
function createStandstill(socket: Socket): () => boolean {
  let moved = -1;
  return function standsStill() {
    const before = moved;
    moved = socket.bytesRead + socket.bytesWritten - socket.writableLength;
    return moved === before;
  };
}
