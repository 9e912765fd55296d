import http, { type Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Plan, planRequest } from "./plan-request.ts";
import type { Random } from "./random.ts";
import { sendHostile } from "./send-hostile.ts";
import { type Outcome, sendRequest } from "./send-request.ts";
import { sendWebSocket } from "./send-websocket.ts";
import type { Subject } from "./subject.ts";

/** What was asked, and what came of it. */
export type Ledger = Readonly<{
  outcomes: Map<string, number>;
  /** How many lines of the log each number must have: {@link linesExpected}. */
  expected: Uint8Array;
  /** What was on its way to a process when that was killed. */
  excused: Set<number>;
  underWay: Set<number>;
  /** The last that were answered. */
  answered: number[];
  next: { number: number; isExcused: boolean };
}>;

/** Of a request whose client has left nobody knows whether it came so far. */
export const linesExpected = { none: 0, one: 1, atMostOne: 2 } as const;

/** How requests are sent. */
export type LoadSettings = Readonly<{
  subject: Subject;
  ledger: Ledger;
  random: Random;
  connections: number;
  plan: typeof planRequest;
}>;

/** What becomes of a request that was on its way to a process that was killed. */
export const lostWithProcess = "lost with the killed process";
/** So many requests before a process is killed may have been answered and not logged. */
const mayBeUnlogged = 500;
/** So long a client may take its connection to a process that was killed for an open one. */
const killMilliseconds = 200;

/** Makes a ledger for so many requests. */
export function createLedger(numbers: number): Ledger {
  return {
    ...{ outcomes: new Map(), excused: new Set(), underWay: new Set(), answered: [] },
    expected: new Uint8Array(numbers),
    next: { number: 0, isExcused: false },
  };
}

/** Sends so many requests, some at the same time, each on whatever connection is free. */
export async function sendMany(count: number, settings: LoadSettings): Promise<void> {
  const { subject, ledger, random, connections, plan } = settings;
  const agent = new http.Agent({ keepAlive: true });
  const end = ledger.next.number + count;
  await Promise.all(Array.from({ length: connections }, work));
  agent.destroy();

  async function work(): Promise<void> {
    while (ledger.next.number < end) {
      const planned = plan(ledger.next.number, random);
      ledger.next.number += 1;
      if (subject.without.includes(planned.kind)) continue;
      ledger.underWay.add(planned.number);
      if (ledger.next.isExcused) ledger.excused.add(planned.number);
      note(planned, await sendPlanned(planned, subject, agent));
      ledger.underWay.delete(planned.number);
    }
  }

  function note({ number, kind }: Plan, outcome: Outcome): void {
    const isExcused = ledger.excused.has(number);
    const name = isExcused && outcome.startsWith("failed") ? lostWithProcess : outcome;
    ledger.outcomes.set(name, (ledger.outcomes.get(name) ?? 0) + 1);
    if (kind === "hostile" || (kind === "unmatched" && subject.linesOfUnmatched === 0)) return;
    const isCertain = outcome === "as expected" && !isExcused;
    ledger.expected[number] = isCertain ? linesExpected.one : linesExpected.atMostOne;
    ledger.answered.push(number);
    if (ledger.answered.length > mayBeUnlogged) ledger.answered.shift();
  }
}

function sendPlanned(plan: Plan, { ports, isNamed }: Subject, agent: Agent): Promise<Outcome> {
  const port = ports[Math.floor(plan.place * ports.length)]!;
  if (plan.kind === "hostile") return sendHostile(plan, port, isNamed);
  if (plan.kind === "websocket") return sendWebSocket(plan, port);
  return sendRequest(plan, port, agent);
}

/**
 * Kills a process of the subject when a request with this number has been sent; what was on its way to it, or not yet
 * logged by it, is excused.
 */
export async function killDuringLoad(subject: Subject, ledger: Ledger, number: number): Promise<void> {
  const { next, answered, excused, expected, underWay } = ledger;
  while (next.number < number) await wait(1);
  for (const one of answered) if (expected[one] === linesExpected.one) expected[one] = linesExpected.atMostOne;
  for (const one of underWay) excused.add(one);
  next.isExcused = true;
  await subject.killOne!();
  await wait(killMilliseconds);
  next.isExcused = false;
}
