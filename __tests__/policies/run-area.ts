import { isDeepStrictEqual } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { asUpgrades, canBeUpgrades } from "./as-upgrades.ts";
import { awaited } from "./awaited.ts";
import { expectedOf, observedOf, settleTrace } from "./compare-trace.ts";
import { departures } from "./departures.ts";
import type { Departure } from "./departures/departure.ts";
import { disputed } from "./disputed.ts";
import { type Outcome, runTrace } from "./run-trace.ts";
import { readTraces, type Trace } from "./trace.ts";
import { type Mounting, mountings } from "./trace-gateway.ts";
import { fillTexts } from "./trace-values.ts";

/** Declares the tests of one area: each trace is answered as recorded, or otherwise on purpose. */
export function runArea(area: string, prefix: string): void {
  const traces = readTraces(area);
  const present = traces.filter(({ id }) => !awaited.has(id));
  const settled = present.map((trace) => settleTrace(trace, departures[trace.id]));

  describe.each(Object.keys(mountings) as Mounting[])(`${area}, mounted in %s`, (mounting) => {
    runAll(settled, mounting);
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
  const settled = present.map((trace) => settleTrace(trace, departures[trace.id])).filter(canBeUpgrades);
  describe(`${area}, as upgrades`, () => {
    runAll(settled.map(asUpgrades), "Express");
  });
}

function numberOf([id, { because }]: readonly [string, Departure]): readonly [string, string] {
  return [id, because];
}

function runAll(traces: readonly Trace[], mounting: Mounting): void {
  const underWay = new Map<string, Promise<Outcome>>();
  beforeAll(() => {
    for (const [index, trace] of traces.filter(hasToWait).entries()) {
      underWay.set(trace.id, startAhead(trace, mounting, index * betweenStarts));
    }
  });
  afterAll(() => Promise.allSettled(underWay.values()));

  const isDisputed = ({ id }: Trace): boolean => Object.hasOwn(disputed, id);
  test.each(traces.filter((trace) => !isDisputed(trace)).map(withTitle))("$title", compare);
  const open = traces.filter(isDisputed).map(withTitle);
  if (open.length > 0) test.failing.each(open)("$title", compare);

  async function compare({ trace }: ReturnType<typeof withTitle>): Promise<void> {
    let outcome = await (underWay.get(trace.id) ?? runTrace(trace, mounting));
    for (let again = 0; again < moreTries && hasToWait(trace) && !isAsExpected(outcome, trace); again += 1) {
      outcome = await runTrace(trace, mounting);
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

/** Traces that wait do so all together. */
function startAhead(trace: Trace, mounting: Mounting, delay: number): Promise<Outcome> {
  const outcome = wait(delay).then(() => runTrace(trace, mounting));
  // Its own test tells what went wrong, and comes later.
  outcome.catch(() => undefined);
  return outcome;
}

function hasToWait({ downstreams, steps }: Trace): boolean {
  return /"(delayMs|bodyDelayMs|partDelayMs|wait|startAfterMs|abortAfterMs)":/.test(
    JSON.stringify([downstreams, steps]),
  );
}

function withTitle(trace: Trace): Readonly<{ trace: Trace; title: string }> {
  return { trace, title: `${trace.id} ${trace.about}` };
}
