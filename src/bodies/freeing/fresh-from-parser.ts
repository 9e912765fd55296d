import { EventEmitter } from "node:events";
import { IncomingMessage, OutgoingMessage } from "node:http";
import { Socket } from "node:net";
import { Duplex, Readable } from "node:stream";
import { TLSSocket } from "node:tls";
import { isPushedDirectly } from "../pieces/take-in-few-pieces.ts";
import { isAtParser } from "../pieces/is-at-parser.ts";

const passedFunctions: readonly (readonly [owner: object, name: string])[] = [
  [EventEmitter.prototype, "emit"],
  [EventEmitter.prototype, "on"],
  [Readable.prototype, "on"],
  [Readable.prototype, "push"],
  [Readable.prototype, "read"],
  [IncomingMessage.prototype, "emit"],
  [IncomingMessage.prototype, "push"],
  [OutgoingMessage.prototype, "write"],
  [Duplex.prototype, "write"],
  [Socket.prototype, "emit"],
  [Socket.prototype, "push"],
  [Socket.prototype, "read"],
  [Socket.prototype, "write"],
];

/** The functions that every piece of a body passes, as they were at the start. A tool that collects bodies replaces one of them. */
const passages = passedFunctions.map(([owner, name]) => ({
  owner,
  name,
  original: Reflect.get(owner, name) as unknown,
}));

/** Whether the functions of Node's classes are still those of the start, so that no tool sees the pieces pass. */
function isNodeUntouched(): boolean {
  for (const { owner, name, original } of passages) if (Reflect.get(owner, name) !== original) return false;
  return true;
}

const ways = ["on", "emit", "read"] as const;

/**
 * Whether the pieces of a stream come straight from Node's parser, and no code has seen any. An adapter, or a stand-in
 * for http.request, hands over pieces of its own, which it may need again.
 */
export function isFreshFromParser(stream: Readable): boolean {
  if (!(stream instanceof IncomingMessage) || stream.readableDidRead || isWatched(stream, 0)) return false;
  return (
    isAtParser(stream) &&
    isPushedDirectly(stream) &&
    ways.every((way) => stream[way] === IncomingMessage.prototype[way])
  );
}

/** Whether other code besides our own listeners gets the pieces of a stream. */
export function isWatched(stream: Readable, ownListeners: number): boolean {
  return stream.listenerCount("data") > ownListeners || stream.listenerCount("readable") > 0;
}

/** Whether no code between a message and the operating system might keep the pieces that its `write` is given. */
export function isNodesOwn(
  message: OutgoingMessage,
  write: unknown = Reflect.get<OutgoingMessage, "write">(message, "write"),
): boolean {
  return isNodeUntouched() && write === OutgoingMessage.prototype.write && isNodesOwnSocket(message.socket);
}

/** Whether no code between a socket and the operating system might keep the pieces that are written. */
export function isNodesOwnSocket(socket: Socket | null): boolean {
  if (socket === null || (socket.constructor !== Socket && socket.constructor !== TLSSocket)) return false;
  return isNodeUntouched() && socket.write === Duplex.prototype.write;
}
