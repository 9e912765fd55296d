import type { Socket } from "node:net";
import { expectHead, type HeadPlace, hideContinue } from "./hide-continue.ts";
import type { InterimTally } from "../../interim-answers.ts";
import { countUnheard, unheard } from "../../unheard-bytes.ts";

/** Of a connection, what its reads tell and need to know. */
type ReadConnection = {
  readonly head: HeadPlace;
  readonly freesBodies: boolean;
  readonly interims: InterimTally;
  [unheard]: number;
  wholeRead: ArrayBufferLike | undefined;
};

/**
 * As much as Node reads at once. undici gives back what it has not come to when it is told to wait, and then takes all that
 * there is, for which Node reads on: where little is wanted at a time, more and more would wait.
 */
const mostAtOnce = 65_536;

/** The next bytes are those of an answer. */
export function expectAnswer(connection: ReadConnection): void {
  connection[unheard] = 0;
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
    // Node itself reads 0 bytes, which lets more of them come.
    const bytes = read(size === undefined && socket.readableLength > mostAtOnce ? mostAtOnce : size);
    if (bytes === null) return bytes;
    const failure = countUnheard(connection, bytes);
    if (failure !== undefined) {
      socket.destroy(failure);
      return null;
    }
    hideContinue(bytes, head);
    if (freesBodies && bytes.length === bytes.buffer.byteLength) connection.wholeRead = bytes.buffer;
    return bytes;
  };
  const giveBack = socket.unshift.bind(socket);
  socket.unshift = function watchGivenBack(bytes: Buffer) {
    connection[unheard] -= bytes.length;
    giveBack(bytes);
  };
}
