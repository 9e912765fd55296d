import type { ServerResponse } from "node:http";
import { listenFirst } from "../../unattended/guarded.ts";
import { interceptSending } from "./intercept-sending.ts";
import { nodesWrite } from "./is-written-by-node.ts";

/** Whether it is the gateway that writes at the moment. */
export type Turn = { isOurs: boolean };

/** Writes as the gateway does it itself. */
export function inTurn<Result>(turn: Turn, res: ServerResponse, write: () => Result): Result {
  turn.isOurs = true;
  try {
    return write();
  } finally {
    // Pieces that wait in a corked response leave when somebody else uncorks it.
    turn.isOurs = res.writableCorked > 0;
  }
}

/**
 * Keeps others from writing into a response while a body streams into it: middleware that is late, or that thinks the answer
 * takes too long. Their bytes would stand in the middle of the body, and their end would make the half look whole. Whoever
 * has called `write` and `end` that stood there before, as middleware in front does, goes on. The function that comes back
 * lets the others go on, too.
 */
export function keepWritersOff(res: ServerResponse, turn: Turn, intrude: () => void): () => void {
  const write = Reflect.get<ServerResponse, "write">(res, "write");
  const end = Reflect.get<ServerResponse, "end">(res, "end");
  let isHeld = true;
  res.write = function writeUnlessHeld(...parts: unknown[]): boolean {
    if (!isHeld || res.destroyed) return Reflect.apply(write, res, parts) as boolean;
    intrude();
    return false;
  };
  res.end = function endUnlessHeld(...parts: unknown[]): ServerResponse {
    if (!isHeld || res.destroyed) return Reflect.apply(end, res, parts) as ServerResponse;
    intrude();
    return res;
  };
  // Code that has kept an earlier function goes past these, though not past the place where pieces leave. Where middleware
  // has its own `write`, the gateway's pieces leave whenever that lets them.
  if (write === nodesWrite)
    interceptSending(res, ({ length }) => {
      if (!isHeld || turn.isOurs || length === 0 || res.destroyed) return "send";
      intrude();
      return "drop";
    });
  // An end without a piece shows here; right behind, the connection would go on to its next answer.
  listenFirst(res, "finish", () => {
    if (!isHeld) return;
    intrude();
    res.destroy();
  });
  return function release() {
    isHeld = false;
  };
}
