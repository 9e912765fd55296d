import type { Socket } from "node:net";
import { longestJoined } from "../../bodies/responses/end-message.ts";

type Written = Readonly<{ chunk: string | Buffer; encoding: BufferEncoding }>;

/**
 * Lets a head and a short body, which undici (8.12) hands to its socket together, leave as one text: that is cheaper than a
 * write of two pieces.
 */
export function joinShortBodies(socket: Socket): void {
  const write = socket._write.bind(socket);
  const writeSeveral = socket._writev!.bind(socket);
  socket._writev = function writeJoined(pieces: readonly Written[], settle) {
    const text = joinHeadAndBody(pieces);
    if (text === undefined) writeSeveral(pieces as Parameters<typeof writeSeveral>[0], settle);
    else write(text, "latin1", settle);
  };
}

function joinHeadAndBody(pieces: readonly Written[]): string | undefined {
  if (pieces.length !== 2) return undefined;
  const [{ chunk: head, encoding }, { chunk: body }] = pieces as readonly [Written, Written];
  if (typeof head !== "string" || encoding !== "latin1" || typeof body === "string") return undefined;
  return body.length > longestJoined ? undefined : head + body.toString("latin1");
}
