import { OutgoingMessage } from "node:http";

/** Node's own functions, in the place of which middleware may have put its own. */
export const nodesWrite: unknown = Reflect.get(OutgoingMessage.prototype, "write");
export const nodesEnd: unknown = Reflect.get(OutgoingMessage.prototype, "end");

/**
 * Whether what is written into a response meets no `write` or `end` of middleware, which may change pieces where they are. Those
 * that others have, too, are copied for it.
 */
export function isWrittenByNode({ write, end }: Readonly<{ write: unknown; end: unknown }>): boolean {
  return write === nodesWrite && end === nodesEnd;
}
