import type { IncomingMessage } from "node:http";
import { createByteRoom } from "../../bodies/pieces/byte-room.ts";
import { listenOnce } from "../../unattended/guarded.ts";
import { createWorkTurns } from "../../work-in-turn.ts";
import { parseTold, type ReadJson, readText } from "./read-json.ts";
import { createLineReader, type LineReader } from "./read-lines.ts";
import { createShareOfTime, type ShareOfTime } from "../../asking/share-of-time.ts";

/** What ends the reading of an answer. */
export type AnswerBounds = Readonly<{ signal: AbortSignal; notInTime: () => Error; tooLong: () => Error }>;

/** Reads the answers of one registry, however many there are at once: a few at a time, in a part of the time. */
type AnswerReader = Readonly<{
  read: (answer: IncomingMessage, bounds: AnswerBounds) => Promise<ReadJson>;
  /** Reads an answer that goes on, each line of which is a document. */
  readEach: (answer: IncomingMessage, bounds: AnswerBounds, read: (told: ReadJson) => void) => Promise<void>;
  /** That part of the time, for what becomes of the answers. */
  share: ShareOfTime;
}>;

/** How long an answer may be: a list of thousands of instances. */
export const mostBytes = 8 * 1024 * 1024;

// Each of a thousand services has a line of some kilobytes under way at most, for a moment.
const mostInLines = 16 * mostBytes;

// A registry may answer for all of its services at once.
const readAtOnce = 4;
// The time for the answer is over before, that of a watch as well.
const longestTurn = 600_000;

/** Makes the reader of a registry's answers. */
export function createAnswerReader(): AnswerReader {
  const inTurn = createWorkTurns(readAtOnce, longestTurn);
  const share = createShareOfTime();
  const room = createByteRoom(mostInLines);
  return { read, readEach, share };

  async function read(answer: IncomingMessage, { signal, notInTime, tooLong }: AnswerBounds): Promise<ReadJson> {
    await begun(answer);
    const told = await inTurn(async () => {
      await share.wait(signal);
      return parse(await readText(answer as AsyncIterable<Buffer>, mostBytes, tooLong));
    });
    if (told === undefined) throw notInTime();
    return told;
  }

  async function readEach(...[answer, bounds, take]: Parameters<AnswerReader["readEach"]>): Promise<void> {
    const { signal, tooLong } = bounds;
    const lines = createLineReader({ mostBytes, room, tooLong, noRoom });
    try {
      for await (const piece of answer as AsyncIterable<Buffer>) await takeInTurn(piece);
    } finally {
      lines.end();
    }

    /** What has ended is parsed before more of it comes, and only a few lines of all answers are parsed at once. */
    async function takeInTurn(piece: Buffer): Promise<void> {
      const isTaken = await inTurn(async () => {
        await share.wait(signal);
        share.spend(() => lines.add(piece));
        for (let line = nextLine(lines); line !== undefined; line = nextLine(lines)) {
          const told = await parse(line);
          share.spend(() => take(told));
          await share.wait(signal);
        }
        return true;
      });
      if (isTaken === undefined) throw bounds.notInTime();
    }
  }

  /** A registry may tell blank ones without end. */
  function nextLine({ next }: LineReader): string | undefined {
    let line: string | undefined;
    share.spend(() => {
      do line = next();
      while (line?.trim() === "");
    });
    return line;
  }

  async function parse(text: string): Promise<ReadJson> {
    const told = await parseTold(text);
    share.note(told.took);
    return told;
  }
}

function noRoom(): Error {
  return new Error(`Lines that a registry has begun, for all services together, have more than ${mostInLines} bytes.`);
}

/** Waits for the first bytes of an answer: its head may come long before them, where a proxy stands in between. */
async function begun(answer: IncomingMessage): Promise<void> {
  if (answer.readableLength > 0 || answer.complete || answer.destroyed) return;
  await new Promise<void>((resolve) => {
    for (const event of ["readable", "end", "close"]) listenOnce(answer, event, resolve);
  });
}
