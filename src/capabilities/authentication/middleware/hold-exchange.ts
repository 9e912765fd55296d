import type { IncomingMessage, ServerResponse } from "node:http";
import type { MatchedExchange } from "../../../exchange/matched-exchange.ts";
import { whenRejected } from "../../../when-rejected.ts";
import { holdRequest } from "./hold-request.ts";
import { holdResponse } from "./hold-response.ts";
import type { RecordedAnswer } from "./record-answer.ts";
import { sendRecorded } from "./send-recorded.ts";
import type { Refusal, Trial } from "./trial.ts";

/** What a handler has come to: it let the request pass, recognised nobody, or failed. */
export type Outcome = Readonly<{ kind: "passed" } | { kind: "nobody" } | { kind: "failed"; error: unknown }>;

/** Middleware with a request and a response of its own. */
type HeldHandler = (req: IncomingMessage, res: ServerResponse, next: (reason?: unknown) => void) => unknown;

/** An outcome, at once where the handler was quick, and the request as the handler has left it. */
type HeldExchange = Readonly<{ req: IncomingMessage; outcome: Outcome | Promise<Outcome> }>;

const lowestFinal = 200;
const canBeSent = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Runs middleware for a scheme: what it sets and answers reaches nobody before it is known what became of it. */
export function holdExchange(trial: Trial, handler: HeldHandler): HeldExchange {
  const { exchange } = trial;
  const { context } = exchange;
  let refusal: Refusal = {};
  let outcome: Outcome | undefined;
  let resolve: ((outcome: Outcome) => void) | undefined;
  const { req, letThrough: letRequest } = holdRequest(context.req);
  const { res, letThrough: letResponse, close } = holdResponse(req, context.res, { answered, failed });
  Object.assign(req, { res });
  trial.attempt = { accept, dismiss };
  try {
    whenRejected(handler(req, res, next), failed);
  } catch (error) {
    failed(error);
  }
  return { req, outcome: outcome ?? new Promise((late) => (resolve = late)) };

  function settle(first: Outcome): void {
    if (outcome !== undefined) return;
    outcome = first;
    resolve?.(first);
  }

  function next(reason?: unknown): void {
    if (reason === undefined) settle({ kind: "passed" });
    // A router that is left early says null.
    else if (reason === null || reason === "route" || reason === "router") settle({ kind: "nobody" });
    else failed(reason);
  }

  function answered(answer: RecordedAnswer): void {
    if (outcome !== undefined) return;
    if (answer.status < lowestFinal) return failed(new Error(`Its answer has the status ${answer.status}.`));
    refusal = isRefusal(answer.status) ? challengeIn(answer.headers) : { answer: () => sendRecorded(answer, exchange) };
    settle({ kind: "nobody" });
  }

  function failed(error: unknown): void {
    if (outcome !== undefined) return;
    const { status, headers } = readError(error);
    if (!isRefusal(status)) return settle({ kind: "failed", error });
    refusal = challengeIn({ ...res.getHeaders(), ...headers });
    settle({ kind: "nobody" });
  }

  function accept(): void {
    if (!context.res.headersSent && !context.res.closed) letThrough(exchange, [letRequest, letResponse]);
  }

  function dismiss(): Refusal {
    outcome ??= { kind: "nobody" };
    close();
    return refusal;
  }
}

/** What a scheme has set is taken back where the request leaves the gateway again. */
function letThrough(exchange: MatchedExchange, holders: readonly (() => () => void)[]): void {
  const takeBack = holders.map((release) => release());
  const { restore } = exchange;
  exchange.restore = function restoreAll() {
    for (const take of takeBack) take();
    restore();
  };
}

function isRefusal(status: unknown): boolean {
  return status === 401 || status === 403;
}

function challengeIn(headers: object): Refusal {
  const found = Object.entries(headers).findLast(([name]) => name.toLowerCase() === "www-authenticate");
  const challenge = [found?.[1]].flat().join(", ");
  return challenge !== "" && canBeSent.test(challenge) ? { challenge } : {};
}

/** Anything can be thrown, even an object whose members throw when they are read. */
function readError(error: unknown): Readonly<{ status: unknown; headers: object }> {
  try {
    const { status, statusCode, headers } = (error ?? {}) as Readonly<Record<string, unknown>>;
    return { status: status ?? statusCode, headers: { ...(headers as object | undefined) } };
  } catch {
    return { status: undefined, headers: {} };
  }
}
