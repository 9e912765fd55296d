import { type ClientRequest, IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { giveUpInLaterTurn } from "../../bodies/with-code/give-up-body.ts";
import { endMessage } from "../../bodies/responses/end-message.ts";
import { isUnread } from "../../bodies/uploads/unread-body.ts";
import { createDisposal } from "../../bodies/freeing/free-sent.ts";
import { isNodesOwn } from "../../bodies/freeing/fresh-from-parser.ts";
import { sendBytes, wrongRequest } from "../../bodies/uploads/send-request-bytes.ts";
import type { OutgoingRequest } from "../../delegating-handler.ts";
import { listen, listenOnce } from "../../unattended/guarded.ts";

const nothing = Buffer.alloc(0);

/** Nothing of a streamed body is read before there is a connection, so that another host can be tried after a refusal. */
export function sendBody({ body }: Readonly<OutgoingRequest>, request: ClientRequest, freeBodies: boolean): void {
  if (body === null || Buffer.isBuffer(body)) {
    endWith(body ?? nothing, request);
    return;
  }
  if (body.errored !== null) {
    breakOffWith(request, body.errored);
    return;
  }
  listen(body, "error", (error: Error) => breakOffWith(request, error));
  const { socket } = request;
  if (socket?.connecting === true) listenOnce(socket, "connect", () => pipeBody(body, request, freeBodies));
  else pipeBody(body, request, freeBodies);
}

/** Whatever has become of the headers on their way here: what stands in the head is what follows it. */
function endWith(body: Buffer, request: ClientRequest): void {
  const length = lengthOf(request) ?? 0;
  if (length !== body.length) breakOffWith(request, wrongRequest(body.length > length ? "longer" : "shorter"));
  else if (length === 0) request.end();
  else endMessage(request, body);
}

function lengthOf(request: ClientRequest): number | undefined {
  const length = request.getHeader("content-length");
  return length === undefined ? undefined : Number(length);
}

function pipeBody(body: Readable, request: ClientRequest, freeBodies: boolean): void {
  const countUnsent = (): number | undefined =>
    request.destroyed || !isNodesOwn(request) ? undefined : request.writableLength;
  try {
    if (freeBodies) listen(body, "data", createDisposal({ source: body, readers: 2, countUnsent }));
    listen(request, "drain", () => body.resume());
    sendBytes(body, lengthOf(request), {
      write: (piece) => request.destroyed || request.write(piece),
      end: (last) => request.end(last),
      fail: (error) => breakOffWith(request, error),
    });
    if (!(body instanceof IncomingMessage)) listenOnce(request, "close", () => destroyUnlessUnread(body));
  } catch (error) {
    // Middleware may have replaced the functions that are called here by some that throw.
    breakOffWith(request, error as Error);
  }
}

/** What a client still sends flows off: its connection would be stuck with it. What is unread may go out once more. */
function destroyUnlessUnread(body: Readable): void {
  if (!isUnread(body)) giveUpInLaterTurn(body);
}

/** Node throws away what nobody has read of a whole answer, and ends it there, as its request is destroyed. */
function breakOffWith(request: ClientRequest, error: Error): void {
  const { res } = request as { res?: IncomingMessage };
  if (res?.complete === true && !res.readableEnded) res.destroy(error);
  request.destroy(error);
}
