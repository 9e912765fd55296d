import type { IncomingMessage } from "node:http";

/**
 * Which message a parser is at. Node tells it, though its documentation does not: where Node tells nothing, no piece
 * counts as the parser's.
 */
type ParsedSocket = { parser?: { incoming?: unknown } | null } | null | undefined;

/** Whether Node's parser still gives pieces of a message's body. */
export function isAtParser(message: IncomingMessage): boolean {
  return (message.socket as ParsedSocket)?.parser?.incoming === message;
}
