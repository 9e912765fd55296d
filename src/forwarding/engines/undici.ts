import { channel } from "node:diagnostics_channel";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import type { Flow } from "../../bodies/answer-body.ts";
import { brokenOff } from "../../bodies/broken-off.ts";
import type { HeldBody } from "../../bodies/held-body.ts";
import type { OutgoingRequest } from "../../delegating-handler.ts";
import { guard } from "../../unattended/guarded.ts";
import { isFailureOfBody } from "../failure-of-body.ts";
import type { Engine, EngineAnswer, EngineContext, EngineFailure } from "./engine.ts";
import { createPartsDisposal, type PartsDisposal } from "../../bodies/freeing/free-parts.ts";
import { mayLeaveBytes, mayProveConnection } from "./connection-not-reused.ts";
import { createIncomingBody, type IncomingBody } from "./undici-answer-body.ts";
import { type Connection, type Connections, createConnections } from "./undici-connections.ts";
import { illFormedAnswer } from "../../ill-formed-answer.ts";
import { countInterim } from "../../interim-answers.ts";
import { hearPiece, unheard } from "../../unheard-bytes.ts";
import { noteReuse } from "./note-reuse.ts";
import { translateFailure } from "./undici-failure.ts";
import { createRequestBody } from "./undici-request-body.ts";

/** Where undici shows what it receives. */
const shown = channel("undici:request:bodyChunkReceived");

/** What {@link undiciEngine} takes. */
export type UndiciEngineOptions = Readonly<{
  /**
   * Frees the memory of large bodies as soon as they are out, which halves their cost. Not for processes in which a tool
   * looks at bodies: what it keeps would be empty. Off by default.
   */
  freeBodies?: boolean | undefined;
}>;

/** Sends requests through undici, and writes answers straight from its parser into the client's response. */
export function undiciEngine({ freeBodies = false }: UndiciEngineOptions = {}): Engine {
  const connections = createConnections(freeBodies);

  return { forward, release: connections.release, close: connections.close };

  function forward(outgoing: Readonly<OutgoingRequest>, context: EngineContext): Promise<EngineAnswer> {
    return new Promise((resolve, reject) => {
      const connection = connections.take(outgoing.origin, context.connection);
      const handler = createHandler({ outgoing, connection, connections, context }, { resolve, reject });
      connection.client.dispatch(toDispatchOptions(outgoing, connection), handler);
    });
  }
}

/** `servername` is read, but missing in the types: a changed `Host` would otherwise open a new connection. */
type DispatchOptions = Dispatcher.DispatchOptions & { servername: string };

function toDispatchOptions(outgoing: Readonly<OutgoingRequest>, connection: Connection): DispatchOptions {
  const { method, path, headers, body } = outgoing;
  const told = headers["content-length"];
  const length = told === undefined ? undefined : Number(told);
  const sent = body instanceof Readable ? createRequestBody(body, { connection, length }) : body;
  const options = { method, path, headers, body: sent, servername: connection.servername, blocking: false };
  // undici looks after a body that is not expected only where a byte of it comes; `reset: false` would tell it not to.
  const isLast = mayLeaveBytes(method, body !== null) || mayProveConnection(headers);
  return isLast ? { ...options, reset: true } : options;
}

type HandlerParts = Readonly<{
  outgoing: Readonly<OutgoingRequest>;
  connection: Connection;
  connections: Connections;
  context: EngineContext;
}>;

type Settling = Readonly<{ resolve: (answer: EngineAnswer) => void; reject: (failure: EngineFailure) => void }>;

function createHandler(
  { outgoing, connection, connections, context }: HandlerParts,
  { resolve, reject }: Settling,
): Dispatcher.DispatchHandler {
  const bytesReadBefore = connection.socket?.bytesRead ?? 0;
  let controller: Dispatcher.DispatchController | undefined;
  let incoming: IncomingBody | undefined;
  let trailers: Dispatcher.ResponseData["headers"] = {};
  let isOver = false;
  let isCancelled = false;
  const disposal = connection.freesBodies ? createPartsDisposal(connection) : undefined;
  context.onCancel(cancel);

  // undici hands what the other callbacks throw to the last one; what the last one throws, no code would catch.
  return {
    onRequestStart(started) {
      controller = started;
    },
    onResponseStart(started, status, headers, statusText = "") {
      if (isInterim(connection, { status, headers }, started)) return;
      incoming = createIncomingBody({ controller: started, written: writtenBy(disposal) });
      resolve(createAnswer({ status, statusText, headers, body: incoming.body, trailers: () => toPairs(trailers) }));
    },
    onResponseData(_controller, chunk) {
      // undici gives a piece without bytes after each pause.
      if (chunk.length === 0) return;
      hearPiece(connection, chunk);
      disposal?.received(chunk);
      incoming?.take(chunk);
    },
    onResponseEnd(_controller, ofBody) {
      isOver = true;
      trailers = ofBody;
      // A connection that is given back may be closed.
      const broken = connection.socket?.errored ?? null;
      connections.giveBack(connection);
      endBody(incoming, broken);
    },
    onResponseError: guard((started: Dispatcher.DispatchController, error: Error) => {
      isOver = true;
      const failure = isFailureOfBody(error, outgoing) ? error : translateFailure(error);
      // Whoever waits hears of it in a later turn: whatever fails here, the request is settled.
      reject(failure);
      const isOther = isCancelled || failure !== error || !isUnheard(connection, bytesReadBefore);
      if (!isOther && noteReuse(failure, outgoing)) connections.dropIdle(connection);
      connections.giveBack(connection);
      incoming?.fail(started.aborted ? error : brokenOff(error));
    }),
  };

  function cancel(reason: Error): void {
    isCancelled = true;
    // Node tells the process of a promise that is settled twice, which takes its time.
    if (isOver) return;
    abort({ connection, connections, controller }, reason, reject);
  }
}

/** Whether a kept connection has given nothing of an answer. */
function isUnheard({ requests, socket }: Connection, bytesReadBefore: number): boolean {
  return requests > 0 && socket?.bytesRead === bytesReadBefore;
}

type BegunCall = Pick<HandlerParts, "connection" | "connections"> &
  Readonly<{ controller: Dispatcher.DispatchController | undefined }>;

function abort({ connection, connections, controller }: BegunCall, reason: Error, reject: Settling["reject"]): void {
  reject(reason);
  if (controller === undefined) connections.drop(connection, reason);
  else controller.abort(reason);
}

function isInterim(
  connection: Connection,
  { status, headers }: Readonly<{ status: number; headers: Readonly<Record<string, unknown>> }>,
  controller: Dispatcher.DispatchController,
): boolean {
  connection[unheard] = 0;
  if (status >= 200) return false;
  const failure = status < 100 ? illFormedAnswer(`A status of ${status}.`) : countInterim(connection.interims, headers);
  if (failure !== undefined) controller.abort(failure);
  return true;
}

/** Where undici shows the pieces to other code, they are not freed. */
function writtenBy(disposal: PartsDisposal | undefined): Flow["written"] {
  return shown.hasSubscribers ? undefined : disposal?.written;
}

/**
 * Where the end of the connection delimits the answer, undici takes a reset for its end. A failure here is that of the code
 * that writes the answer: undici would take it for the upstream's.
 */
function endBody(incoming: IncomingBody | undefined, broken: Error | null): void {
  try {
    if (broken === null) incoming?.end();
    else incoming?.fail(brokenOff(broken));
  } catch (error) {
    incoming?.fail(error as Error);
  }
}

type AnswerParts = Readonly<{
  status: number;
  statusText: string;
  headers: Dispatcher.ResponseData["headers"];
  body: HeldBody;
  trailers: () => readonly string[];
}>;

function createAnswer({ status, statusText, headers, body, trailers }: AnswerParts): EngineAnswer {
  return {
    status,
    statusText: asBytes(statusText),
    rawHeaders: toPairs(headers),
    body,
    trailers,
  };
}

function toPairs(headers: Readonly<Partial<Record<string, string | string[]>>>): string[] {
  const pairs: string[] = [];
  for (const name in headers) {
    const value = headers[name]!;
    // A transfer coding with blanks behind it is another one to undici, and framed the body so.
    if (typeof value === "string") pairs.push(name, name === codingName ? value : withoutBlanksBehind(value));
    else for (const one of value) pairs.push(name, withoutBlanksBehind(one));
  }
  return pairs;
}

/** Blanks behind a value are no part of it; undici leaves those that Node takes off. */
function withoutBlanksBehind(value: string): string {
  let end = value.length;
  // A pattern would begin anew at each blank within a value.
  while (end > 0 && isBlank(value.charCodeAt(end - 1))) end -= 1;
  return end === value.length ? value : value.slice(0, end);
}

function isBlank(code: number): boolean {
  return code === space || code === tab;
}

const codingName = "transfer-encoding";
const space = 0x20;
const tab = 0x09;

const asciiOnly = /^[\0-\x7f]*$/;

/** undici reads the reason phrase as UTF-8; everything else in a head is a character a byte. */
function asBytes(text: string): string {
  return asciiOnly.test(text) ? text : Buffer.from(text).toString("latin1");
}
