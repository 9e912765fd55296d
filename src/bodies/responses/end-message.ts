import type { OutgoingMessage } from "node:http";
import { nodesEnd } from "./is-written-by-node.ts";

/** Of longer bodies no text is made. */
export const longestJoined = 4_096;

/**
 * Ends a request or a response, by its own function or an earlier one, with the last bytes of its body if there are any. Head
 * and body of a short message leave as one text: joining them is much cheaper than a write of two buffers. Code that collects
 * bodies has a function of its own there, and expects bytes.
 */
export function endMessage<Message extends OutgoingMessage>(
  message: Message,
  last: Buffer | undefined,
  end: Message["end"] = Reflect.get<Message, "end">(message, "end"),
  toText = toLatin1,
): void {
  const isJoined = last !== undefined && last.length <= longestJoined && end === nodesEnd;
  Reflect.apply(end, message, isJoined ? [toText(last), "latin1"] : [last]);
}

function toLatin1(bytes: Buffer): string {
  return bytes.toString("latin1");
}
