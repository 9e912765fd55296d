import { expect, test } from "@jest/globals";
import { joinTraffic } from "../../src/inspector/traffic-news.ts";

type Told = Parameters<typeof joinTraffic>[0][number];

const hosts = (first: number, last: number): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => `host http://h${first + index}`);

test.each([
  ["the same hosts", [hosts(1, 100), 9_900], [hosts(1, 100), 9_899], [...hosts(1, 100), "9900 more"]],
  ["other hosts", [hosts(1, 100), 9_900], [hosts(51, 150), 9_900], [...hosts(1, 150), "9850 more"]],
  ["nothing", [hosts(1, 100), 20], [[], 0], [...hosts(1, 100), "20 more"]],
  ["all that is left out", [hosts(1, 100), 20], [hosts(101, 120), 0], hosts(1, 120)],
] as const)("what workers do without is joined where another one names %s", (_, one, other, joined) => {
  const told = [one, other].map(([named, unnamed], index) => toldOf(index, { named, unnamed }));
  expect(joinTraffic(told, {}).state.degraded).toEqual(joined);
  expect(joinTraffic(told.toReversed(), {}).state.degraded.toSorted()).toEqual([...joined].toSorted());
});

function toldOf(process: number, degraded: Told["state"]["degraded"]): Told {
  const counts = { requests: 0, statuses: {}, errors: [] };
  const load = { status: "ready", routes: 1, running: 0, sockets: 0, loadedAt: 0, lastFailure: undefined };
  return { process, entries: [], counts, state: { ...load, degraded } };
}
