import { describe, expect, test } from "@jest/globals";
import { awaited } from "./awaited.ts";
import { expectedOf, observedOf, settleTrace } from "./compare-trace.ts";
import { disputed } from "./disputed.ts";
import { departures } from "./departures.ts";
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
    const judged = present.filter((trace) => trace.judged !== "same").map(({ id, judged: number }) => [id, number]);
    const departed = Object.entries(departures).filter(([id, { misjudged }]) => {
      return id.startsWith(prefix) && misjudged === undefined;
    });
    expect(Object.fromEntries(departed.map(([id, { because }]) => [id, because]))).toEqual(Object.fromEntries(judged));
  });

  test(`${area}: no list names a trace that is not there`, () => {
    const known = new Set(traces.map(({ id }) => id));
    const named = [...awaited.keys(), ...Object.keys(disputed), ...Object.keys(departures)];
    expect(named.filter((id) => id.startsWith(prefix) && !known.has(id))).toEqual([]);
  });
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
