import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { gatherPieces } from "../bodies/pieces/gather-pieces.ts";
import { guard, listen, listenOnce } from "../unattended/guarded.ts";
import type { ShareOfTime } from "./share-of-time.ts";

/** Holds back what a connection brings until its turn comes, as long as the exchange goes on that ends with a `close`. */
export type Receive = (socket: Socket, exchange: EventEmitter) => void;

/** A connection whose bytes wait for their turn. */
type Inlet = {
  readonly isReady: () => boolean;
  /** Hands some bytes on to whoever reads the connection. */
  readonly takeSome: () => void;
  /** Those that came first are read first, so that some answers are whole while others wait. */
  place: number;
  /** Milliseconds of work since it got its place. */
  taken: number;
};

// A chunk may hold a single byte: some hundreds of them are parsed before somebody looks at the clock.
const someBytes = 4_096;
const sliceMilliseconds = 2;
// What goes on without end does not keep others waiting for ever.
const mostInPlace = 100;
const never = new AbortController().signal;

/**
 * Makes what receives answers in a share of the time, however many come at once and in however small chunks: Node would
 * parse all that has come of all connections in one turn of the event loop.
 */
export function createReceiving(share: ShareOfTime): Receive {
  const waiting = new Set<Inlet>();
  let places = 0;
  let isReceiving = false;

  return function receiveInShare(socket, exchange) {
    const inlet: Inlet = { ...holdBack(socket, exchange, () => join(inlet)), place: (places += 1), taken: 0 };
    listenOnce(exchange, "close", () => waiting.delete(inlet));
  };

  function join(inlet: Inlet): void {
    waiting.add(inlet);
    if (!isReceiving) void receive();
  }

  async function receive(): Promise<void> {
    isReceiving = true;
    while (waiting.size > 0) {
      await share.wait(never);
      share.spend(receiveSlice);
      await setImmediate();
    }
    isReceiving = false;
  }

  function receiveSlice(): void {
    const end = performance.now() + sliceMilliseconds;
    let now = performance.now();
    for (let inlet = first(); inlet !== undefined && now < end; inlet = first()) {
      const began = now;
      while (inlet.isReady() && now < end) {
        inlet.takeSome();
        now = performance.now();
      }
      if (!inlet.isReady()) waiting.delete(inlet);
      inlet.taken += now - began;
      if (inlet.taken > mostInPlace) Object.assign(inlet, { place: (places += 1), taken: 0 });
    }
  }

  function first(): Inlet | undefined {
    let found: Inlet | undefined;
    for (const inlet of waiting) if (found === undefined || inlet.place < found.place) found = inlet;
    return found;
  }
}

/** What a connection gives its pieces to, and what it is asked for more by. */
type Source = Readonly<{ push: (piece: Buffer | null) => boolean; _read: (size: number) => void }>;

/** Stands between what a connection reads and those who listen to it; `ready` is called when there may be something to take. */
function holdBack(socket: Socket, exchange: EventEmitter, ready: () => void): Pick<Inlet, "isReady" | "takeSome"> {
  const source: Source = socket;
  const { push, _read: read } = source;
  const held = gatherPieces();
  let next: Buffer = Buffer.alloc(0);
  let hasEnded = false;
  Object.assign(socket, { push: hold, _read: readUnlessHeld });
  const resumed = listen(socket, "resume", ready);
  listenOnce(exchange, "close", letGo);
  return { isReady, takeSome: guard(takeSome, socket) };

  function hold(piece: Buffer | null): boolean {
    if (piece === null) hasEnded = true;
    else held.add(piece);
    ready();
    return false;
  }

  function readUnlessHeld(size: number): void {
    if (isEmpty()) read.call(socket, size);
  }

  function isEmpty(): boolean {
    return next.length === 0 && held.length() === 0;
  }

  function isReady(): boolean {
    return (!isEmpty() || hasEnded) && !socket.destroyed && !socket.isPaused();
  }

  function takeSome(): void {
    if (next.length === 0) next = held.take();
    const some = next.subarray(0, someBytes);
    next = next.subarray(someBytes);
    if (some.length > 0) push.call(socket, some);
    else end();
  }

  function end(): void {
    hasEnded = false;
    push.call(socket, null);
  }

  /** What is left behind an answer would count as the next one of the connection. */
  function letGo(): void {
    Object.assign(socket, { push, _read: read });
    socket.off("resume", resumed);
    if (!isEmpty()) socket.destroy();
    else if (hasEnded) end();
  }
}
