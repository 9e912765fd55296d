import type { IncomingMessage } from "node:http";
import { withoutPreconditions } from "./part-without-range-or-conditions.ts";

/** A request as one part has it: with headers of its own, and with the members that were set on it for this part. */
export function createPartRequest(
  req: IncomingMessage,
  members: ReadonlyMap<string, PropertyDescriptor>,
): IncomingMessage {
  const own = Object.create(req) as IncomingMessage;
  for (const [name, member] of members) Reflect.defineProperty(own, name, { ...member, configurable: true });
  own.headers = withoutPreconditions(own);
  return own;
}
