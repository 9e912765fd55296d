import { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";

/** Node says which message a parser is at, though not in its documentation: where it does not, nothing is from a parser. */
type ParsedSocket = { parser?: { incoming?: unknown } | null } | null | undefined;

const ways = ["on", "emit", "push", "read"] as const;

/**
 * Whether the pieces of a stream come straight from Node's parser, and nobody has looked at any: what an adapter or a
 * stand-in for http.request hands over as a message is its own, and may be needed again.
 */
export function isFreshFromParser(stream: Readable): boolean {
  if (!(stream instanceof IncomingMessage) || stream.readableDidRead || isWatched(stream, 0)) return false;
  if ((stream.socket as ParsedSocket)?.parser?.incoming !== stream) return false;
  return ways.every((way) => stream[way] === IncomingMessage.prototype[way]);
}

/** Whether somebody besides our own listeners gets its pieces. */
export function isWatched(stream: Readable, ownListeners: number): boolean {
  return stream.listenerCount("data") > ownListeners || stream.listenerCount("readable") > 0;
}
