import { describe, expect, test } from "@jest/globals";
import { awaited } from "./awaited.ts";
import { expectedOf, observedOf } from "./compare-trace.ts";
import { departures } from "./departures.ts";
import { runTrace } from "./run-trace.ts";
import { readTraces } from "./trace.ts";
import { type Mounting, mountings } from "./trace-gateway.ts";

/** Declares the tests of one area: each trace is answered as recorded, or otherwise on purpose. */
export function runArea(area: string, prefix: string): void {
  const traces = readTraces(area);
  const present = traces.filter(({ id }) => !awaited.has(id));

  describe.each(Object.keys(mountings) as Mounting[])(`${area}, mounted in %s`, (mounting) => {
    test.each(present.map((trace) => ({ ...trace, title: `${trace.id} ${trace.about}` })))("$title", async (trace) => {
      expect(observedOf(await runTrace(trace, mounting))).toEqual(expectedOf(trace, departures[trace.id]));
    });
  });

  test(`${area}: what differs on purpose has a number, and nothing else has one`, () => {
    const judged = present.filter((trace) => trace.judged !== "same").map(({ id }) => id);
    const departed = Object.keys(departures).filter((id) => id.startsWith(prefix));
    expect(departed.toSorted()).toEqual(judged.toSorted());
    const known = new Set(traces.map(({ id }) => id));
    expect([...awaited.keys()].filter((id) => id.startsWith(prefix) && !known.has(id))).toEqual([]);
  });
}
