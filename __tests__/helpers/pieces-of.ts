import type { Readable } from "node:stream";

/** Gives what a body gives, by a loop: whoever reads this hears of the body's failure as its own. */
export async function* piecesOf(body: Readable): AsyncGenerator<Buffer> {
  for await (const piece of body) yield piece as Buffer;
}
