import http, { type Agent, type ClientRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import type { Kind, Plan } from "./plan-request.ts";

/** What came of a request. */
export type Outcome = "as expected" | "left by the client" | `failed: ${string}`;

/** What is asked for, and what must come of it. */
type Exchange = Readonly<{
  path: string;
  /** The headers of a body, and the body: so many bytes, or a text. */
  headers?: Readonly<Record<string, string | number>>;
  body?: number | string;
  status?: number;
  length?: number;
  mayBreak?: boolean;
  /** The body is never finished. */
  isStalled?: boolean;
  isSlow?: boolean;
}>;

type OrdinaryKind = Exclude<Kind, "hostile" | "websocket">;

const block = Buffer.alloc(65_536, "x");
const ordinaryLimit = 900_000;
/** Longer than everything that the gateway waits for. */
const silenceMilliseconds = 30_000;
const slowMilliseconds = 300;
/** What Node's server announces to those who keep a connection is a second longer. */
const restMilliseconds = 4_000;
const acceptEncoding = { "accept-encoding": "gzip" };

const closedCodes: readonly (string | undefined)[] = ["ECONNRESET", "EPIPE"];
const lastUse = new WeakMap<Socket, number>();

/** Paths whose placeholders are named like secrets, and one whose route every reload changes. */
const secretPaths: readonly ((value: string) => string)[] = [
  (value) => `/reset/${value}`,
  (value) => `/emptied/${value}`,
  (value) => `/countries/${value}`,
  (value) => `/keys/${value}/of/${value.slice(0, 100)}`,
  (value) => `/find?token=${value.slice(0, 3_000)}&code=${value.slice(0, 3_000)}`,
  (value) => `/partitions/${value}`,
  (value) => `/svc/Shop/Orders/${value}`,
  (value) => `/changing/${value}`,
  (value) => `/dashed/${value}-rrr-${value.slice(0, 100)}`,
];

/** Bodies over the limit of most routes have one of their own. */
const wayFor = (size: number): string => (size > ordinaryLimit ? "big" : "api");

const exchanges: Readonly<Record<OrdinaryKind, (plan: Plan) => Exchange>> = {
  json: ({ number }) => ({ path: "/api/json", ...(number % 2 === 0 && { headers: acceptEncoding }) }),
  secret: ({ number, size }) => ({ path: secretPaths[number % secretPaths.length]!("s".repeat(Math.max(size, 1))) }),
  form: ({ size }) => postText("application/x-www-form-urlencoded", `a=${"f".repeat(size)}`),
  posted: ({ size }) => postText("application/json", JSON.stringify({ text: "j".repeat(size) })),
  text: ({ size }) => ({ path: `/api/text/${size}`, headers: acceptEncoding, length: size }),
  down: ({ size }) => ({ path: `/${wayFor(size)}/down/${size}`, length: size }),
  up: ({ size }) => ({ path: `/${wayFor(size)}/up`, headers: { "content-length": size }, body: size }),
  unmatched: () => ({ path: "/nowhere", status: 404 }),
  reset: () => ({ path: "/api/resets", status: 502 }),
  cut: () => ({ path: "/api/cut", length: 100_000, mayBreak: true }),
  stall: () => ({ path: "/api/stall", status: 504 }),
  "slow reader": ({ size }) => ({ path: `/api/down/${size}`, length: size, isSlow: true }),
  "stalled upload": () => ({
    ...{ path: "/api/up", headers: { "content-length": 100_000 }, body: 10_000, status: 408, isStalled: true },
  }),
};

function postText(type: string, text: string): Exchange {
  return { path: "/api/up", headers: { "content-type": type, "content-length": text.length }, body: text };
}

/**
 * Sends a planned request and judges what comes. The gateway may close a kept connection that has rested just when the
 * client uses it again; a client that has time lets go of it before, and one that has none asks again.
 */
export function sendRequest(plan: Plan, port: number, agent: Agent | false): Promise<Outcome> {
  const exchange = exchanges[plan.kind as OrdinaryKind](plan);
  const { path, headers, body } = exchange;
  return new Promise((resolve) => {
    const req = http.request({
      ...{ host: "127.0.0.1", port, agent, method: body === undefined ? "GET" : "POST" },
      path: `${path}${path.includes("?") ? "&" : "?"}n=${plan.number}`,
      headers: { ...headers, "x-case": plan.number },
    });
    const timer = plan.abortAfter === undefined ? undefined : setTimeout(leave, plan.abortAfter);
    let mayBeClosed = false;
    let isLeft = false;
    req.on("socket", (socket) => {
      mayBeClosed = req.reusedSocket && performance.now() - (lastUse.get(socket) ?? Infinity) > restMilliseconds;
      req.on("close", () => lastUse.set(socket, performance.now()));
    });
    req.on("response", (res) => {
      mayBeClosed = false;
      void judgeResponse(res).then(finish);
    });
    req.on("error", (error: NodeJS.ErrnoException) => {
      const wasClosed = mayBeClosed && closedCodes.includes(error.code);
      if (wasClosed && !isLeft) void sendRequest(plan, port, false).then(finish);
      else finish(judgeError(error));
    });
    req.setTimeout(silenceMilliseconds, () => req.destroy(new Error("no answer")));
    if (typeof body === "string") req.end(body);
    else writeBody(req, body ?? 0, exchange.isStalled ?? false);

    function leave(): void {
      isLeft = true;
      resolve("left by the client");
      req.destroy();
    }

    function finish(outcome: Outcome): void {
      clearTimeout(timer);
      if (exchange.isStalled) req.destroy();
      resolve(outcome);
    }
  });

  async function judgeResponse(res: IncomingMessage): Promise<Outcome> {
    try {
      if (exchange.isSlow) await wait(slowMilliseconds);
      const { length, text } = await readBody(res);
      const problem = findProblem(plan, exchange, { status: res.statusCode!, length, text });
      return problem === undefined ? "as expected" : `failed: ${plan.kind}: ${problem}`;
    } catch (error) {
      return judgeError(error as Error);
    }
  }

  /** Only a body that its upstream cut may end in a broken connection. */
  function judgeError(error: Error): Outcome {
    return exchange.mayBreak ? "as expected" : `failed: ${plan.kind}: ${error.message}`;
  }
}

type Received = Readonly<{ status: number; length: number; text: string }>;

async function readBody(res: IncomingMessage): Promise<Omit<Received, "status">> {
  const isCoded = res.headers["content-encoding"] === "gzip";
  const decoder = isCoded ? createGunzip() : undefined;
  // What a decoder sees of a broken connection is nothing at all.
  res.on("error", (error) => decoder?.destroy(error));
  const body: Readable = decoder === undefined ? res : res.pipe(decoder);
  let length = 0;
  let text = "";
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length < 1_000) text += chunk.toString("latin1");
  }
  return { length, text };
}

function findProblem(plan: Plan, { status = 200, length, body }: Exchange, got: Received): string | undefined {
  const shown = `got ${got.status} with ${got.length} bytes ${JSON.stringify(got.text.slice(0, 160))}`;
  if (got.status !== status) return shown;
  if (status !== 200) return undefined;
  if (length !== undefined) return got.length === length ? undefined : shown;
  const answer = readAnswer(got.text);
  const received = typeof body === "string" ? body.length : (body ?? 0);
  return answer.case === String(plan.number) && answer.received === received ? undefined : shown;
}

type Answer = Readonly<{ case: unknown; received: unknown }>;

/** The upstream's, which the responder may have wrapped. */
function readAnswer(text: string): Answer {
  const answer = JSON.parse(text) as Answer | Readonly<{ Response: Answer }>;
  return "Response" in answer ? answer.Response : answer;
}

function writeBody(req: ClientRequest, size: number, isStalled: boolean): void {
  let left = size;
  writeMore();

  function writeMore(): void {
    while (left > block.length) {
      left -= block.length;
      if (!req.write(block)) {
        req.once("drain", writeMore);
        return;
      }
    }
    if (isStalled) req.write(block.subarray(0, left));
    else req.end(left === 0 ? undefined : block.subarray(0, left));
  }
}
