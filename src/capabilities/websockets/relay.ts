import type { Socket } from "node:net";
import { listen } from "../../unattended/guarded.ts";
import { createFrameBoundary } from "./frame-boundary.ts";

/** One direction of a tunnel. */
export type Relay = Readonly<{ pass: (chunk: Buffer) => void; stop: () => void; isBetweenFrames: () => boolean }>;

/** Passes on what comes in, no faster than the other side takes it. */
export function startRelay(source: Socket, destination: Socket): Relay {
  const { follow, isBetweenFrames } = createFrameBoundary();
  const passing = listen(source, "data", pass);
  const resuming = listen(destination, "drain", resume);
  return { pass, stop, isBetweenFrames };

  function pass(chunk: Buffer): void {
    follow(chunk);
    if (!destination.write(chunk)) source.pause();
  }

  function resume(): void {
    source.resume();
  }

  function stop(): void {
    source.off("data", passing);
    destination.off("drain", resuming);
  }
}
