import { isDeepStrictEqual } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { takingTurns } from "../fuzz/bounds.ts";
import { asUpgrades, canBeUpgrades } from "./as-upgrades.ts";
import { awaited } from "./awaited.ts";
import { expectedOf, observedOf, settleTrace } from "./compare-trace.ts";
import { departures } from "./departures.ts";
import type { Departure } from "./departures/departure.ts";
import { disputed } from "./disputed.ts";
import { asksRegistry, type Outcome, runTrace } from "./run-trace.ts";
import { readTraces, type Trace } from "./trace.ts";
import { realClock } from "./trace-clock.ts";
import { type Mounting, mountings } from "./trace-gateway.ts";
import { fillTexts } from "./trace-values.ts";

/** Declares the tests of one area: each trace is answered as recorded, or otherwise on purpose. */
export function runArea(area: string, prefix: string): void {
  const traces = readTraces(area);
  const present = traces.filter(({ id }) => !awaited.has(id));
  const settled = present.map((trace) => settleTrace(trace, departures[trace.id]));

  // In the short form each trace is run in one of them.
  const mounted = everyMounting.map((mounting, turn) => {
    return { mounting, traces: takingTurns(settled, everyMounting.length, turn) };
  });
  describe(area, () => {
    const underWay = startWaitingOnes(mounted);
    describe.each(mounted)("mounted in $mounting", ({ traces, mounting }) => runAll({ traces, mounting }, underWay));
  });

  test(`${area}: what differs on purpose has a number, and nothing else has one`, () => {
    const departed = Object.entries(departures).filter(([id]) => id.startsWith(prefix));
    const judged = present.filter(({ judged }) => judged !== "same").map(({ id, judged }) => [id, judged]);
    const misjudged = departed.filter(([, departure]) => departure.misjudged !== undefined).map(numberOf);
    expect(Object.fromEntries(departed.map(numberOf))).toEqual(Object.fromEntries([...judged, ...misjudged]));
  });

  test(`${area}: no list names a trace that is not there`, () => {
    const known = new Set(traces.map(({ id }) => id));
    const named = [...awaited.keys(), ...Object.keys(disputed), ...Object.keys(departures)];
    expect(named.filter((id) => id.startsWith(prefix) && !known.has(id))).toEqual([]);
  });
}

/** Declares that the upgrades of an area's traces are answered, or refused, as their requests are. */
export function runAreaAsUpgrades(area: string): void {
  const present = readTraces(area).filter(({ id }) => !awaited.has(id) && !Object.hasOwn(disputed, id));
  const all = present.map((trace) => settleTrace(trace, departures[trace.id])).filter(canBeUpgrades);
  // In the short form one half of them: the locks are those of the requests, which are all played.
  const settled = takingTurns(all, 2, 0);
  describe(`${area}, as upgrades`, () => {
    const mounted = { traces: settled.map(asUpgrades), mounting: "Express" } as const;
    runAll(mounted, startWaitingOnes([mounted]));
  });
}

/** Declares that the traces of an area that wait are answered by the clock of the machine as they are by that of the test. */
export function runAreaByRealClock(area: string): void {
  const present = readTraces(area).filter(({ id }) => !awaited.has(id) && !Object.hasOwn(disputed, id));
  const waiting = present.filter(({ steps = [] }) => steps.some((step) => "wait" in step));
  describe(`${area}, by the clock of the machine`, () => {
    const settled = waiting.map((trace) => settleTrace(trace, departures[trace.id]));
    const mounted = { traces: settled, mounting: "node:http" } as const;
    const byRealClock: Run = (trace, mounting) => runTrace(trace, mounting, realClock);
    runAll(mounted, startWaitingOnes([mounted], byRealClock));
  });
}

function numberOf([id, { because }]: readonly [string, Departure]): readonly [string, string] {
  return [id, because];
}

const everyMounting = Object.keys(mountings) as Mounting[];

type Mounted = Readonly<{ traces: readonly Trace[]; mounting: Mounting }>;

type Run = (trace: Trace, mounting: Mounting) => Promise<Outcome>;

/** What is under way already, and how everything else is run. */
type Runs = Readonly<{ underWay: ReadonlyMap<string, Promise<Outcome>>; run: Run }>;

const byTestClock: Run = (trace, mounting) => runTrace(trace, mounting);

/** Traces that wait do so all together, however the gateway is mounted. */
function startWaitingOnes(mounted: readonly Mounted[], run = byTestClock): Runs {
  const underWay = new Map<string, Promise<Outcome>>();
  beforeAll(() => {
    const waiting = mounted.flatMap(({ traces, mounting }) => {
      return traces.filter(hasToWait).map((trace) => [mounting, trace] as const);
    });
    for (const [index, [mounting, trace]] of waiting.entries()) {
      underWay.set(
        `${mounting} ${trace.id}`,
        startAhead(() => run(trace, mounting), index * betweenStarts),
      );
    }
  });
  afterAll(() => Promise.allSettled(underWay.values()));
  return { underWay, run };
}

function runAll({ traces, mounting }: Mounted, { underWay, run }: Runs): void {
  const isDisputed = ({ id }: Trace): boolean => Object.hasOwn(disputed, id);
  test.each(traces.filter((trace) => !isDisputed(trace)).map(withTitle))("$title", compare);
  const open = traces.filter(isDisputed).map(withTitle);
  if (open.length > 0) test.failing.each(open)("$title", compare);

  async function compare({ trace }: ReturnType<typeof withTitle>): Promise<void> {
    let outcome = await (underWay.get(`${mounting} ${trace.id}`) ?? run(trace, mounting));
    for (let again = 0; again < moreTries && hasToWait(trace) && !isAsExpected(outcome, trace); again += 1) {
      outcome = await run(trace, mounting);
    }
    expect(observedOf(outcome, trace)).toEqual(fillTexts(expectedOf(trace), outcome.values));
  }
}

/** A busy machine may let a time-out pass that was meant for the downstream: such a trace has another try, alone. */
const moreTries = 3;

function isAsExpected(outcome: Outcome, trace: Trace): boolean {
  const expected = fillTexts(expectedOf(trace), outcome.values);
  return isDeepStrictEqual(observedOf(outcome, trace), expected);
}

/** So that the start of the one does not eat up the time that an answer of another may take; milliseconds. */
const betweenStarts = 20;

function startAhead(run: () => Promise<Outcome>, delay: number): Promise<Outcome> {
  const outcome = wait(delay).then(run);
  // Its own test tells what went wrong, and comes later.
  outcome.catch(() => undefined);
  return outcome;
}

function hasToWait(trace: Trace): boolean {
  const { downstreams, steps } = trace;
  if (asksRegistry(trace)) return true;
  return /"(delayMs|bodyDelayMs|partDelayMs|wait|startAfterMs|abortAfterMs)":/.test(
    JSON.stringify([downstreams, steps]),
  );
}

function withTitle(trace: Trace): Readonly<{ trace: Trace; title: string }> {
  return { trace, title: `${trace.id} ${trace.about}` };
}
