import { channel } from "node:diagnostics_channel";
import { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { giveUpInLaterTurn } from "../../bodies/with-code/give-up-body.ts";
import { isNodesOwnSocket } from "../../bodies/freeing/fresh-from-parser.ts";
import { inPresentContext } from "../../in-present-context.ts";
import { ignoreErrors, listen } from "../../unattended/guarded.ts";
import { createDisposal } from "../../bodies/freeing/free-sent.ts";
import { sendBytes } from "../../bodies/uploads/send-request-bytes.ts";
import { isUnread } from "../../bodies/uploads/unread-body.ts";
import type { Connection } from "./undici-connections.ts";

/** Where undici shows what it sends. */
const sent = channel("undici:request:bodyChunkSent");

/** Where the pieces go, and how many bytes the head tells; undefined where they go in chunks. */
type BodyWay = Readonly<{ connection: Pick<Connection, "socket" | "freesBodies">; length: number | undefined }>;

/**
 * The view that undici gets of a request's body. Undici destroys the stream that it is given, and with a client's
 * request its socket; and it would send a body that has come in already with a length that the client has not sent. The
 * view reads nothing before undici asks, so that another host can be tried after a refusal.
 */
export function createRequestBody(source: Readable, { connection, length }: BodyWay): Readable {
  let isReading = false;
  let isOver = false;
  let isEmpty = true;
  let disposeLater: ((piece: Buffer | string) => void) | undefined;
  // undici asks from events of the connection, which other clients' requests have opened and used.
  const run = inPresentContext();
  const view = new Readable({
    read: () => run(readSource),
    destroy(error, callback) {
      isOver = true;
      // What a client still sends flows off: its connection would be stuck with it. What is unread may go out once more.
      if (isReading && !(source instanceof IncomingMessage) && !isUnread(source)) giveUpInLaterTurn(source);
      callback(error);
    },
  });
  // An engine that has let go of the view has its answer, or its failure.
  ignoreErrors(view);
  if (source.errored !== null) view.destroy(source.errored);
  listen(source, "error", (error: Error) => view.destroy(error));
  return view;

  function readSource(): void {
    if (!isReading) startReading();
    source.resume();
  }

  function startReading(): void {
    isReading = true;
    if (connection.freesBodies) disposeLater = createDisposal({ source, readers: 1, countUnsent });
    sendBytes(source, length, { write, end, fail: (error) => view.destroy(error) });
  }

  function write(piece: Buffer): boolean {
    // What comes after it was let go flows off.
    if (isOver) return true;
    isEmpty &&= piece.length === 0;
    disposeLater?.(piece);
    return view.push(piece);
  }

  /** What has left the view was written to the socket in the same moment. */
  function countUnsent(): number | undefined {
    const { socket } = connection;
    if (socket === undefined || socket.destroyed || !isNodesOwnSocket(socket) || sent.hasSubscribers) return undefined;
    return view.readableLength + socket.writableLength;
  }

  function end(): void {
    if (isOver) return;
    if (isEmpty && length === undefined && connection.socket !== undefined) sendNoChunks(connection.socket);
    view.push(null);
  }
}

const noLength = "\r\ncontent-length: 0\r\n\r\n";
const headEnd = "\r\n\r\n";
const noChunks = "\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n";

/**
 * Lets the head that is written next announce chunks, of which there are none: undici (8.12) holds the head of a request
 * back until a first byte of its body is there, and declares a length of 0, or nothing at all, where none comes.
 */
function sendNoChunks(socket: Socket): void {
  const isOwn = Object.hasOwn(socket, "write");
  const write = Reflect.get<Socket, "write">(socket, "write");
  socket.write = function writeHead(head: unknown, ...rest: unknown[]): boolean {
    if (isOwn) socket.write = write;
    else Reflect.deleteProperty(socket, "write");
    return Reflect.apply(write, socket, [typeof head === "string" ? announceChunks(head) : head, ...rest]) as boolean;
  };
}

function announceChunks(head: string): string {
  if (head.endsWith(noLength)) return head.slice(0, -noLength.length) + noChunks;
  return head.endsWith(headEnd) ? head.slice(0, -headEnd.length) + noChunks : head;
}
