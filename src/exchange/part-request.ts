import type { IncomingMessage } from "node:http";
import { ofPart } from "../bodies/parsed/body-that-parser-has-read.ts";
import { type OwnMembers, propertyOf } from "./members-of-part.ts";
import { withoutPreconditions } from "./part-without-range-or-conditions.ts";

/** A request as one part has it: with headers of its own, and with the members that were set on it for this part. */
export function createPartRequest(req: IncomingMessage, { members, body }: OwnMembers): IncomingMessage {
  const own = Object.create(req) as IncomingMessage;
  if (body !== undefined) {
    Reflect.defineProperty(own, "body", propertyOf(body.get, body.set));
    Reflect.set(own, ofPart, body);
  }
  for (const [name, member] of members) Reflect.defineProperty(own, name, { ...member, configurable: true });
  own.headers = withoutPreconditions(own);
  return own;
}
