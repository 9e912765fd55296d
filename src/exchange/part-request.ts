import type { IncomingMessage } from "node:http";
import { withoutPreconditions } from "./part-without-range-or-conditions.ts";

const open = { writable: true, enumerable: true, configurable: true };

/** A request as one part has it: with headers of its own, and with what was set on it since it was as `before`. */
export function createPartRequest(req: IncomingMessage, before: ReadonlyMap<string, unknown>): IncomingMessage {
  const own = Object.create(req) as IncomingMessage;
  for (const [name, value] of Object.entries(req) as [string, unknown][]) {
    // What Node notes for itself stays with the request.
    if (!name.startsWith("_") && before.get(name) !== value) Reflect.defineProperty(own, name, { ...open, value });
  }
  own.headers = withoutPreconditions(req);
  return own;
}
