import type { Headers } from "../../delegating-handler.ts";
import { withUtf8 } from "../media-type.ts";
import type { Framing } from "../request-framing.ts";

/** What the head of a request says of its body. */
export type Head = Readonly<{ framing: Framing; headers: Headers }>;

/** How many bytes of UTF-8 the client has sent, where that is certain. */
export function readSentLength({ framing, headers }: Head): number | undefined {
  if (framing.kind !== "length" || headers["content-encoding"] !== undefined) return undefined;
  const type = String(headers["content-type"]);
  return withUtf8(type).toLowerCase() === type.toLowerCase() ? framing.length : undefined;
}
