import type { ClientRequest, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";
import { tellsOfBytes } from "./headers/tells-of-bytes.ts";
import { type Attached, listenFirst, listenOnce } from "./unattended/guarded.ts";
import { countUnheard, type Hearing, unheard } from "./unheard-bytes.ts";

/** What Node keeps on a connection of an agent: the last request on it, null while it is idle (seen in 22 to 24). */
type AskedSocket = Socket & Readonly<{ _httpMessage?: AskingRequest | null }>;
type AskingRequest = ClientRequest & Hearing & Readonly<{ res?: (IncomingMessage & Hearing) | null }>;

/**
 * Uses a connection no more that has brought bytes for which nobody has asked, while it is idle, or behind an answer whose
 * request, or whose reader, is not at its end. Node throws them away; where they are the first half of an answer, the other half
 * would be read as that to the next request. Breaks off a connection that brings bytes without an end of which nothing is heard.
 * This is heard before Node's own listener, which notes the end of an answer.
 */
export function watchBytes(connection: Duplex): Attached {
  const socket = connection as AskedSocket;
  return listenFirst(socket, "data", (bytes: Buffer) => {
    const { _httpMessage: request } = socket;
    if (request === null) socket.destroy();
    else if (request !== undefined) watchBytesOf(request, bytes);
  });
}

const watched = new WeakSet<Duplex>();

/** Watches a connection of an agent that others may use, too, and which hands it on without telling that it was used before. */
export function watchBytesOnce(connection: Duplex): void {
  if (watched.has(connection)) return;
  watched.add(connection);
  const watching = watchBytes(connection);
  // An upgrade, or CONNECT, takes it out of its agent: whoever has sent that reads what comes.
  listenOnce(connection, "agentRemove", () => connection.off("data", watching));
}

function watchBytesOf(request: AskingRequest, bytes: Buffer): void {
  const { res: answer } = request;
  if (answer?.complete === true) request.shouldKeepAlive = false;
  if (!answer || answer.complete) breakOffIfUnheard(request, request, bytes);
  // Where nothing is noted, each byte is one of a body, and heard.
  else if (answer[unheard] !== undefined) breakOffIfUnheard(request, answer, bytes);
}

function breakOffIfUnheard({ socket }: AskingRequest, hearing: Hearing, bytes: Buffer): void {
  const failure = countUnheard(hearing, bytes);
  if (failure !== undefined) socket?.destroy(failure);
}

/** Uses the connection of a request, whose answer has begun, for others only where no bytes can be left behind the answer. */
export function keepIfClean(request: ClientRequest, answer: IncomingMessage): void {
  noticeNextMessage(request);
  if (tellsOfAbsentBody(answer) || answer.statusCode === switching) request.shouldKeepAlive = false;
}

/** Behind this status Node's parser stops, wherever it is in what it has read, and the rest of that is lost. */
const switching = 101;

/**
 * Whether a head tells of a body where there is none by the status. Some upstreams send it all the same: where nobody reads it,
 * the next answer on the connection would be read behind it.
 */
function tellsOfAbsentBody({ statusCode, headers }: IncomingMessage): boolean {
  return (statusCode === 204 || statusCode === 304) && tellsOfBytes(headers);
}

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
function noticeNextMessage({ socket }: ClientRequest): void {
  const { parser } = (socket ?? {}) as { parser?: Parser | null };
  // Parsers go on to other connections, of servers too, and keep this one function.
  if (parser && parser[0] !== keepNotAlive) parser[0] = keepNotAlive;
}

function keepNotAlive(this: Parser): void {
  const { outgoing, incoming } = this;
  if (incoming?.complete === true && outgoing?.res === incoming) outgoing.shouldKeepAlive = false;
}
