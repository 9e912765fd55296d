import { maxHeaderSize } from "node:http";
import type { EngineFailure } from "./forwarding/engines/engine.ts";
import { illFormedAnswer } from "./ill-formed-answer.ts";

/** What the longest head, and the longest trailers, that are taken may come in: parsers count one byte in four of these, at least. */
const mostUnheard = 4 * maxHeaderSize;

/** How many bytes may come for each one of a body: of a chunk with one byte, six. */
const mostForEach = 64;

/** Where it stands how many bytes have come, less what was heard of them. */
export const unheard = Symbol("unheard");

/** What bytes are read for: an answer, and then its body. */
export type Hearing = { [unheard]?: number };

/**
 * Counts bytes before a parser gets them; gives a failure where nothing has been heard of too many. Parsers (llhttp 9.4) pass
 * over the zeros before a chunk's length, over lines before a head, and over blanks before a value, and count none of them:
 * each connection on which they come without an end would keep the process at work.
 */
export function countUnheard(hearing: Hearing, { length }: Readonly<Buffer>): EngineFailure | undefined {
  const before = hearing[unheard] ?? 0;
  if (before > mostUnheard) return illFormedAnswer("A head, trailers, or the frame of a chunk, without an end.");
  hearing[unheard] = before + length;
  return undefined;
}

/** Notes that a piece of a body was heard: a byte between floods of zeros makes up for a few of them only. */
export function hearPiece(hearing: Hearing, { length }: Readonly<Buffer>): void {
  hearing[unheard] = Math.max(0, (hearing[unheard] ?? 0) - length * mostForEach);
}
