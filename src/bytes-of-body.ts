import type { IncomingMessage } from "node:http";

/** Where it stands how many bytes of its body a message has given. */
export const bytesOfBody = Symbol("bytesOfBody");

/** A message whose body comes in chunks, of which the bytes are counted. */
export type Counted = { [bytesOfBody]: number };

/** How far an upload has come. Parsers pass over zeros before a chunk's length without an end: of chunks, the body alone counts. */
export function bytesOfUpload(req: IncomingMessage): number {
  return (req as Partial<Counted>)[bytesOfBody] ?? req.socket.bytesRead;
}
