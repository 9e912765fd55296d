import { describe, expect, test } from "@jest/globals";
import { awaited } from "./awaited.ts";
import { expectedOf, observedOf, settleTrace } from "./compare-trace.ts";
import { disputed } from "./disputed.ts";
import { departures } from "./departures.ts";
import type { Departure } from "./departures/departure.ts";
import { runTrace } from "./run-trace.ts";
import { readTraces, type Trace } from "./trace.ts";
import { type Mounting, mountings } from "./trace-gateway.ts";
import { fillTexts } from "./trace-values.ts";

/** Declares the tests of one area: each trace is answered as recorded, or otherwise on purpose. */
export function runArea(area: string, prefix: string): void {
  const traces = readTraces(area);
  const present = traces.filter(({ id }) => !awaited.has(id));
  const settled = present.map((trace) => settleTrace(trace, departures[trace.id]));
  const [open, agreed] = [settled.filter(isDisputed), settled.filter((trace) => !isDisputed(trace))];

  describe.each(Object.keys(mountings) as Mounting[])(`${area}, mounted in %s`, (mounting) => {
    runAll(agreed, mounting, test);
    if (open.length > 0) runAll(open, mounting, test.failing);
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

function numberOf([id, { because }]: readonly [string, Departure]): readonly [string, string] {
  return [id, because];
}

function isDisputed({ id }: Trace): boolean {
  return Object.hasOwn(disputed, id);
}

function runAll(traces: readonly Trace[], mounting: Mounting, declare: Pick<typeof test.failing, "each">): void {
  const rows = traces.map((trace) => ({ trace, title: `${trace.id} ${trace.about}` }));
  declare.each(rows)("$title", async ({ trace }) => {
    const outcome = await runTrace(trace, mounting);
    expect(observedOf(outcome, trace)).toEqual(fillTexts(expectedOf(trace), outcome.values));
  });
}
