import type { Socket } from "node:net";
import { expectHead, type HeadPlace, hideContinue } from "./hide-continue.ts";
import { illFormedAnswer } from "../../ill-formed-answer.ts";
import type { InterimTally } from "../../interim-answers.ts";

/** Of a connection, what its reads tell and need to know. */
type ReadConnection = {
  readonly head: HeadPlace;
  readonly freesBodies: boolean;
  readonly interims: InterimTally;
  unheard: number;
  wholeRead: ArrayBufferLike | undefined;
};

/** As long as the longest head, and the longest trailers, that undici takes: of these it counts one byte in four, at least. */
const mostUnheard = 65_536;

/**
 * As much as Node reads at once. undici gives back what it has not come to when it is told to wait, and then takes all that
 * there is, for which Node reads on: where little is wanted at a time, more and more would wait.
 */
const mostAtOnce = 65_536;

/** The next bytes are those of an answer. */
export function expectAnswer(connection: ReadConnection): void {
  connection.unheard = 0;
  connection.interims.count = 0;
  expectHead(connection.head);
}

/**
 * Sees what undici (8.12) reads, which cuts what it hands over from that, and does not say from what; and which would read
 * for ever what it hands over to no code, such as the extension of a chunk.
 */
export function watchReads(connection: ReadConnection, socket: Socket): void {
  const { freesBodies, head } = connection;
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  socket.read = function watchRead(size) {
    if (connection.unheard > mostUnheard) {
      socket.destroy(illFormedAnswer("A head, or the frame of a chunk, without an end."));
      return null;
    }
    // Node itself reads 0 bytes, which lets more of them come.
    const bytes = read(size === undefined && socket.readableLength > mostAtOnce ? mostAtOnce : size);
    if (bytes === null) return bytes;
    connection.unheard += bytes.length;
    hideContinue(bytes, head);
    if (freesBodies && bytes.length === bytes.buffer.byteLength) connection.wholeRead = bytes.buffer;
    return bytes;
  };
}
