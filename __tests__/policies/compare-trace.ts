import { createHash } from "node:crypto";
import type { Departure } from "./departures/departure.ts";
import { exchangesOf, type Outcome, stepsOf } from "./run-trace.ts";
import { withoutHostCookie } from "./trace-clients.ts";
import { agreeOnTimes } from "./trace-times.ts";
import type { Trace, TraceAnswer, TraceArrival, TraceExchange } from "./trace.ts";

/** The differences that are not asked about: what the one and the other gateway add by themselves. */
const ownHeaders =
  /^(host|date|server|connection|keep-alive|transfer-encoding|content-length|upgrade|sec-websocket-(key|version|accept|extensions)|x-forwarded-.*|x-original-for|forwarded|x-real-ip|age|cache-status|aggregate-status)$/;

/** Those of an aggregate's answer besides. */
const ownHeadersOfWhole = /^(cache-control|x-content-type-options)$/;

/** A trace as it can be compared: what is said on both sides in the same words. */
export type Comparable = Readonly<{ starts: false } | { starts: true; exchanges: readonly object[] }>;

/** What is to come of a trace: as recorded, but for what is answered otherwise on purpose. */
export function settleTrace({ startError, ...trace }: Trace, departure: Departure | undefined): Trace {
  const refused = departure?.starts === false || (startError !== undefined && departure?.starts !== true);
  if (refused) return { ...trace, steps: [], startError: startError ?? departure!.because };
  let index = 0;
  const steps = stepsOf(trace).map((step) => {
    if ("parallel" in step) {
      return { parallel: step.parallel.map((exchange) => ({ ...exchange, ...settleExchange(exchange) })) };
    }
    return "request" in step ? settleExchange(step) : step;
  });
  return { ...trace, steps };

  function settleExchange({ request, answer, arrived }: TraceExchange): TraceExchange {
    const other = departure?.exchanges?.[index];
    index += 1;
    const arrivals = (other?.arrived ?? arrived).map((arrival) => nameToken(arrival, request.token));
    return { request, answer: { ...withoutUsualText(answer), ...other?.answer }, arrived: arrivals };
  }
}

/** What the other gateway says by itself where a breaker refuses, or an answer does not come, is its own. */
function withoutUsualText(answer: TraceAnswer): TraceAnswer {
  if (!/^(Circuit breaker is open|Request timeout)$/.test(answer.reason ?? "")) return answer;
  const headers = Object.entries(answer.headers).filter(([name]) => name !== "content-type");
  return { ...answer, body: "", headers: Object.fromEntries(headers) };
}

/** Some areas say of the token that it is one, others which. */
function nameToken(arrival: TraceArrival, token: string | undefined): TraceArrival {
  const { authorization } = arrival.headers;
  if (!/^Bearer <token(:\w+)?>$/.test(String(authorization))) return arrival;
  return { ...arrival, headers: { ...arrival.headers, authorization: `Bearer {{token:${token}}}` } };
}

/** What is to come of a settled trace, as it can be compared. */
export function expectedOf(settled: Trace): Comparable {
  if (settled.startError !== undefined) return { starts: false };
  return { starts: true, exchanges: exchangesOf(settled).map((exchange) => comparable(exchange, exchange)) };
}

/** What came of a settled trace, as it can be compared. */
export function observedOf(outcome: Outcome, settled: Trace): Comparable {
  if (!outcome.starts) {
    if (settled.startError === undefined) throw outcome.refusal;
    return { starts: false };
  }
  const expected = exchangesOf(settled);
  return {
    starts: true,
    exchanges: outcome.exchanges.map((exchange, index) => comparable(exchange, expected[index]!)),
  };
}

function comparable(exchange: TraceExchange, expected: TraceExchange): object {
  const { request, arrived } = exchange;
  return {
    request: `${request.method} ${request.path}`,
    answer: comparableAnswer(agreeOnTimes(exchange, expected.answer), {
      compared: Object.keys(expected.answer.headers),
      isOwn: arrived.length === 0,
      arrived,
    }),
    arrived: arrived.map(comparableArrival).toSorted(byPlace),
  };
}

type Compared = Readonly<{ compared: readonly string[]; isOwn: boolean; arrived: TraceExchange["arrived"] }>;

/** The texts of refusals are each gateway's own; of their headers those are compared that are expected. */
function comparableAnswer(
  { status, truncated = false, headers, body = "" }: TraceAnswer,
  { compared: expected, isOwn, arrived }: Compared,
): object {
  const isRefusal = status >= 400 && (body === "" || isOurs(headers));
  const isWhole = headers["aggregate-status"] !== undefined;
  const compared = Object.entries(withoutHostCookie(headers)).filter(([name, value]) => {
    if (isWhole && ownHeadersOfWhole.test(name)) return false;
    if (expected.includes(name)) return !ownHeaders.test(name);
    // The id of a request is told its client as well.
    const isRequestId = arrived.some((arrival) => arrival.headers[name] === value);
    return !ownHeaders.test(name) && !isRefusal && !(isOwn && status >= 400) && !isRequestId;
  });
  return {
    status,
    truncated,
    ...(isRefusal || truncated ? {} : { body }),
    headers: Object.fromEntries(compared.map(withoutUuid)),
  };
}

/** A request id that is made anew is another one each time, and looks otherwise. */
function withoutUuid<Value>([name, value]: readonly [string, Value]): readonly [string, Value | "<guid>"] {
  if (value === "<trace-id>") return [name, "<guid>"];
  return [name, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(String(value)) ? "<guid>" : value];
}

/** Whether an answer was given by the gateway, or by the app around it where no route matches. */
function isOurs({ "content-type": type = "" }: TraceAnswer["headers"]): boolean {
  return /^(application\/problem\+json|text\/html)/.test(String(type));
}

/** What an aggregate sends at the same time arrives in any order. */
function byPlace(
  one: Readonly<{ at: string; target: string }>,
  other: Readonly<{ at: string; target: string }>,
): number {
  return `${one.at} ${one.target}` < `${other.at} ${other.target}` ? -1 : 1;
}

function comparableArrival({ at, method, target, headers, ...bodies }: TraceArrival): TraceArrival {
  const compared = Object.entries(headers).filter(([name]) => !ownHeaders.test(name));
  return { at, method, target, body: digestOf(bodies), headers: Object.fromEntries(compared.map(withoutUuid)) };
}

const longestShown = 1_000;

/** Of a long body that arrived only the length and a hash were recorded. */
function digestOf({ body = "", bodyLength = body.length, bodySha256 }: Partial<TraceArrival>): string {
  if (bodyLength <= longestShown) return body;
  const hash = bodySha256 ?? createHash("sha256").update(body, "latin1").digest("hex");
  return `${bodyLength} bytes, ${hash}`;
}
