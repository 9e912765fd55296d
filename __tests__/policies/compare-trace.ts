import type { Departure } from "./departures.ts";
import { exchangesOf, type Outcome } from "./run-trace.ts";
import type { Trace, TraceAnswer, TraceArrival, TraceExchange } from "./trace.ts";

/** The differences that are not asked about: what the one and the other gateway add by themselves. */
const ownHeaders =
  /^(host|date|server|connection|keep-alive|transfer-encoding|content-length|x-forwarded-.*|age|cache-status|aggregate-status)$/;

/** A trace as it can be compared: what is said on both sides in the same words. */
export type Comparable = Readonly<{ starts: false } | { starts: true; exchanges: readonly object[] }>;

/** What is to come of a trace: as recorded, but for what is answered otherwise on purpose. */
export function expectedOf(trace: Trace, departure: Departure | undefined): Comparable {
  if (departure?.starts === false || (trace.startError !== undefined && departure?.starts !== true))
    return { starts: false };
  const exchanges = exchangesOf(trace).map(({ request, answer, arrived }, index) => {
    const other = departure?.exchanges?.[index];
    return comparable({ request, answer: { ...answer, ...other?.answer }, arrived: other?.arrived ?? arrived });
  });
  return { starts: true, exchanges };
}

/** What came of a trace, as it can be compared. */
export function observedOf(outcome: Outcome): Comparable {
  return outcome.starts ? { starts: true, exchanges: outcome.exchanges.map(comparable) } : outcome;
}

function comparable({ request: { method, path }, answer, arrived }: TraceExchange): object {
  return { request: `${method} ${path}`, answer: comparableAnswer(answer), arrived: arrived.map(comparableArrival) };
}

/** The texts of refusals are each gateway's own; the recorded one gives none. */
function comparableAnswer({ status, headers, body = "" }: TraceAnswer): object {
  if (status >= 400 && (body === "" || isOurs(headers))) return { status };
  return {
    status,
    body,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.test(name))),
  };
}

/** Whether an answer was given by the gateway, or by the app around it where no route matches. */
function isOurs({ "content-type": type = "" }: TraceAnswer["headers"]): boolean {
  return /^(application\/problem\+json|text\/html)/.test(String(type));
}

function comparableArrival({ at, method, target, headers, body = "" }: TraceArrival): object {
  const compared = Object.entries(headers).filter(([name]) => !ownHeaders.test(name));
  return { at, method, target, body, headers: Object.fromEntries(compared) };
}
