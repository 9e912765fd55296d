import type { IncomingMessage, ServerResponse } from "node:http";
import type net from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { startFlood } from "../limits/flood-of-chunks.ts";
import { type RawUploads, startRawUploads } from "./start-raw-uploads.ts";
import { untilTrue } from "./until-true.ts";

/** What becomes of floods. */
const fates = [
  { fate: "is sent on", middleware: [] },
  { fate: "nobody reads", middleware: [answerAtOnce] },
  { fate: "is thrown away from the next turn on", middleware: [throwAwaySoon] },
];

/** By what Node tells whether it reads a connection (seen in 22 to 24). */
type ReadSocket = net.Socket & Readonly<{ _handle?: Readonly<{ reading: boolean }> | null }>;

describe.each(engines)("$name: the body of a request in short chunks", ({ create }) => {
  let uploads: RawUploads;

  afterEach(() => uploads.close());

  test.each(fates)("that $fate is read from one connection at a time, once in a turn", async ({ middleware }) => {
    uploads = await startRawUploads({ engine: create(), middleware });
    const { port, accepted } = uploads;
    const [most, turns, count] = [65_536, 30, 8];
    const endFlood = startFlood({ port, path: "/", uploads: count });
    const read = (): number => accepted.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    // All have been read from by then, which took one turn.
    await untilTrue(() => read() > most * count * 2);
    const taken: number[] = [];
    // Where the service was slow, its client goes on as soon as it is not: one stretch may have more.
    for (let stretch = 0; stretch < 5; stretch += 1) {
      const before = read();
      for (let passed = 0; passed < turns; passed += 1) {
        await nextTurn();
        expect(accepted.filter(isReadWhilePaused).length).toBe(0);
      }
      taken.push(read() - before);
    }
    await endFlood();
    taken.sort((a, b) => a - b);
    expect(taken.at(-1)).toBeGreaterThan(0);
    expect(taken[2]).toBeLessThan(most * turns * 1.5);
  });
});

function answerAtOnce(_req: unknown, res: ServerResponse): void {
  res.end("not read");
}

function throwAwaySoon(req: IncomingMessage): void {
  setImmediate(() => req.resume());
}

/** Whether all that a connection brings is read, although it has been paused. */
function isReadWhilePaused(socket: ReadSocket): boolean {
  return socket.isPaused() && socket._handle?.reading === true;
}
