import { longestTimer } from "../timer-milliseconds.ts";

/** Time limits in seconds. */
export type Timeouts = Readonly<{
  /** All tries of a request together, where its `Timeout` parameter says nothing else. */
  request: number;
  /** One connection to a replica. */
  connect: number;
  /** The longest pause before the service is resolved again; each pause is a random part of it. */
  backoff: number;
  /** The answer to a WebSocket handshake. */
  webSocketOpen: number;
  /** How long the other side of a WebSocket may stay open when one side has ended. */
  webSocketClose: number;
}>;

/** The real one's limits. */
export const defaultTimeouts: Timeouts = {
  request: 120,
  connect: 5,
  backoff: 5,
  webSocketOpen: 20,
  webSocketClose: 10,
};

/** A duration as a timer can have it: rounded up, so that what it waits for is really over. */
export function timerMilliseconds(milliseconds: number): number {
  return Math.max(Math.min(Math.ceil(milliseconds), longestTimer), 0);
}
