import type { EventEmitter } from "node:events";
import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import { createProxyMiddleware } from "http-proxy-middleware";
import { keepIfClean } from "../../clean-connections.ts";
import { mayLeaveBytes, mayProveConnection } from "./connection-not-reused.ts";
import { breakOff } from "../break-off-answer.ts";
import type { OutgoingRequest } from "../../delegating-handler.ts";
import { guard, listen, listenOnce } from "../../unattended/guarded.ts";
import type { Engine, EngineAnswer, EngineContext, EngineFailure } from "./engine.ts";
import { createEngineAnswer } from "./http-answer.ts";
import { sendBody } from "./http-request-body.ts";
import { noteReuse } from "./note-reuse.ts";
import { limitInterims } from "../../interim-answers.ts";
import { createHttpAgents, createTargetCache, dropIdle, type HttpTarget } from "./http-agents.ts";

/**
 * One request as http-proxy-middleware wants to see it. The client's own request is never handed over: its listeners,
 * its socket and its server stay untouched, and what is sent is only what stands in the outgoing request.
 */
type ProxiedCall = {
  method: string;
  url: string;
  headers: OutgoingRequest["headers"];
  httpVersionMajor: 1;
  socket: { writable: true };
  on: () => ProxiedCall;
  pipe: (request: ClientRequest) => void;
  /** What becomes the `url` once the path filter has been asked: http-proxy-middleware would parse it as a URL for that. */
  path: string;
  target: HttpTarget;
  agent: Agent;
  started: (request: ClientRequest) => void;
  answered: (answer: IncomingMessage) => void;
  failed: (error: Error) => void;
};

/** The answer is taken from the `proxyRes` event; nothing is ever written here. */
const unusedResponse = {
  headersSent: false,
  finished: false,
  writableFinished: false,
  destroyed: false,
  on: () => unusedResponse,
  destroy: () => unusedResponse,
};

/** Whether the memory of uploads is freed as soon as they are sent: other code that keeps a piece finds it empty. */
type BodyMemory = Readonly<{ freeBodies?: boolean }>;

/** Sends requests through one shared http-proxy-middleware instance, with kept connections of its own. */
export function createHttpProxyMiddlewareEngine({ freeBodies = false }: BodyMemory = {}): Engine {
  const agents = createHttpAgents();
  const targets = createTargetCache();
  const proxy = createProxyMiddleware({
    pathFilter: () => true,
    router: chooseTarget,
    selfHandleResponse: true,
    // The plugins of http-proxy-middleware write log lines and answer errors: the gateway does both, for every engine
    // alike.
    ejectPlugins: true,
    plugins: [subscribe],
  });

  return { forward, release: agents.release, close };

  function forward(outgoing: Readonly<OutgoingRequest>, context: EngineContext): Promise<EngineAnswer> {
    return new Promise((resolve, reject) => {
      const target = targets(outgoing.origin);
      const agent = agents.agentFor(context.connection, target);
      const call = createCall({ outgoing, context, target, agent, freeBodies }, resolve, reject);
      void proxy(call as never, unusedResponse as never, reject);
    });
  }

  function close(): Promise<void> {
    agents.destroy();
    return Promise.resolve();
  }
}

function chooseTarget(req: unknown, _res: unknown, options: { agent?: unknown }): never {
  const call = req as ProxiedCall;
  options.agent = call.agent;
  call.url = call.path;
  return call.target as never;
}

function subscribe(proxyServer: unknown): void {
  const events = proxyServer as EventEmitter;
  listen(events, "proxyReq", (request: ClientRequest, call: ProxiedCall) => call.started(request));
  listen(events, "proxyRes", (answer: IncomingMessage, call: ProxiedCall) => call.answered(answer));
  listen(events, "error", (error: Error, call: ProxiedCall) => call.failed(error));
}

type CallParts = Readonly<{
  outgoing: Readonly<OutgoingRequest>;
  context: EngineContext;
  target: HttpTarget;
  agent: Agent;
  freeBodies: boolean;
}>;

type RequestParts = "method" | "url" | "path" | "headers" | "httpVersionMajor" | "socket" | "pipe";

function requestOf(outgoing: Readonly<OutgoingRequest>, freeBodies: boolean): Pick<ProxiedCall, RequestParts> {
  return {
    method: outgoing.method,
    url: "",
    path: outgoing.path,
    headers: outgoing.headers,
    httpVersionMajor: 1,
    socket: { writable: true },
    pipe: guard((destination: ClientRequest) => sendBody(outgoing, destination, freeBodies)),
  };
}

function createCall(
  { outgoing, context, target, agent, freeBodies }: CallParts,
  resolve: (answer: EngineAnswer) => void,
  reject: (failure: EngineFailure) => void,
): ProxiedCall {
  let request: ClientRequest | undefined;
  let cancelled: Error | undefined;
  let answer: IncomingMessage | undefined;
  let bytesReadBefore = 0;
  const hasLength = outgoing.headers["content-length"] !== undefined;
  context.onCancel(cancel);

  const call: ProxiedCall = {
    ...requestOf(outgoing, freeBodies),
    on: () => call,
    target,
    agent,
    started(started) {
      request = started;
      listenOnce(started, "close", failUnanswered);
      limitInterims(started, reject);
      bytesReadBefore = started.socket?.bytesRead ?? 0;
      frame(outgoing, started, hasLength);
      if (cancelled !== undefined) started.destroy(cancelled);
    },
    answered(received) {
      answer = received;
      if (request !== undefined) keepIfClean(request, received);
      resolve(createEngineAnswer(received, request?.shouldKeepAlive));
    },
    failed(error) {
      // Whoever waits hears of it in a later turn: whatever fails here, the request is settled.
      reject(cancelled ?? error);
      if (answer !== undefined) breakOff(answer, error);
      if (cancelled === undefined && failedOnReuse() && noteReuse(error, outgoing)) dropIdle(agent, target);
    },
  };
  return call;

  function cancel(reason: Error): void {
    cancelled = reason;
    if (answer !== undefined && giveBack(answer)) return;
    request?.destroy(reason);
    reject(reason);
  }

  /** An upstream that switches protocols unasked ends a request with neither an answer nor an error. */
  function failUnanswered(): void {
    if (answer === undefined)
      reject(Object.assign(new Error("The upstream gave no answer."), { code: "HPE_NO_ANSWER" }));
  }

  function failedOnReuse(): boolean {
    return request?.reusedSocket === true && request.socket?.bytesRead === bytesReadBefore;
  }
}

function frame(outgoing: Readonly<OutgoingRequest>, request: ClientRequest, hasLength: boolean): void {
  if (!hasLength) frameWithoutLength(outgoing, request);
  const { method, headers, body } = outgoing;
  if (mayLeaveBytes(method, body !== null) || mayProveConnection(headers)) request.shouldKeepAlive = false;
}

/**
 * The body is framed as the outgoing request says: httpxy gives some methods a length of 0 that nobody has set, and Node
 * chunks to those that it expects to have a body.
 */
function frameWithoutLength({ headers, body }: Readonly<OutgoingRequest>, request: ClientRequest): void {
  delete headers["content-length"];
  request.removeHeader("content-length");
  // Given among the headers, httpxy would close the connection after each such request.
  if (body !== null) request.setHeader("transfer-encoding", "chunked");
  else request.useChunkedEncodingByDefault = false;
}

/** An answer that has come in whole gives its connection back when it is read to its end, also where it has no bytes. */
function giveBack(answer: IncomingMessage): boolean {
  if (!answer.complete || answer.readableLength > 0) return false;
  answer.resume();
  return true;
}
