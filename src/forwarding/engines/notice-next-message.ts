import type { ClientRequest, IncomingMessage } from "node:http";

/** Node's parser of the answers on a connection; at 0 it calls whoever is to hear that a message begins (seen in 22 to 24). */
type Parser = {
  0?: unknown;
  readonly outgoing?: (ClientRequest & Readonly<{ res?: IncomingMessage | null }>) | null;
  readonly incoming?: IncomingMessage | null;
};

/**
 * Sees to it that a connection on which more has come than the answer to a request is used for no other. Node takes the parser
 * off with the end of the answer, whatever that has begun to read behind it: a head without its end would be lost, and what
 * comes then would be read as the answer to the next request.
 */
export function noticeNextMessage({ socket }: ClientRequest): void {
  const { parser } = (socket ?? {}) as { parser?: Parser | null };
  // Parsers go on to other connections, of servers too, and keep this one function.
  if (parser && parser[0] !== keepNotAlive) parser[0] = keepNotAlive;
}

function keepNotAlive(this: Parser): void {
  const { outgoing, incoming } = this;
  if (incoming?.complete === true && outgoing?.res === incoming) outgoing.shouldKeepAlive = false;
}
