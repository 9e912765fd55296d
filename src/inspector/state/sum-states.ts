import type { KeptAmount } from "../../stores/answer-store.ts";
import { type RouteCount, sumCounts } from "../route-counts.ts";
import { type Point, sumSecond, sumSeconds, toPoint } from "../last-five-minutes.ts";
import type { GatewayState } from "./gateway-state.ts";
import { sumHosts, type SummedHost } from "./sum-hosts.ts";

/** How a gateway is doing in all its processes. */
type SummedState = Omit<GatewayState, "hosts" | "seconds"> &
  Readonly<{
    processes: number;
    points: readonly Point[];
    /** All points as one. */
    total: Point;
    hosts: Readonly<{ rows: readonly SummedHost[]; all: number }>;
  }>;

/** Sums how a gateway is doing in several processes; the first one tells what is the same in all. */
export function sumStates(states: readonly GatewayState[]): SummedState {
  const [first, ...others] = states;
  const { now, store, reloads } = first!;
  const seconds = sumSeconds(states.map((state) => state.seconds));
  return {
    now,
    reloads,
    processes: states.length,
    points: seconds.map(toPoint),
    total: toPoint(sumSecond(now, seconds)),
    hosts: { rows: sumHosts(states.map(({ hosts }) => hosts.rows)), all: first!.hosts.all },
    limits: sumRows(
      first!.limits,
      others.flatMap(({ limits }) => limits),
    ),
    caches: sumRows(
      first!.caches,
      others.flatMap(({ caches }) => caches),
    ),
    aggregates: sumRows(
      first!.aggregates,
      others.flatMap(({ aggregates }) => aggregates),
    ),
    store: { ...store, isAway: states.some(({ store }) => store.isAway) },
    kept: sumAmounts(states.flatMap(({ kept }) => kept ?? [])),
    services: joinServices(states.flatMap(({ services }) => services)),
  };
}

type CountedRow = Readonly<{ route: string }> & RouteCount;

function sumRows<Row extends CountedRow>(rows: readonly Row[], others: readonly Row[]): readonly Row[] {
  const byRoute = Map.groupBy(others, ({ route }) => route);
  return rows.map((row) => ({ ...row, ...sumCounts([row, ...(byRoute.get(row.route) ?? [])]) }));
}

/** Each process keeps answers of its own. */
function sumAmounts(amounts: readonly KeptAmount[]): KeptAmount | undefined {
  if (amounts.length === 0) return undefined;
  const sum = (name: keyof KeptAmount): number => amounts.reduce((all, amount) => all + amount[name], 0);
  return { entries: sum("entries"), bytes: sum("bytes"), mostBytes: sum("mostBytes") };
}

/** Each process asks the registries by itself; services that clients name may be known to one alone. */
function joinServices(rows: GatewayState["services"]): GatewayState["services"] {
  const byName = Map.groupBy(rows, ({ registry, service }) => `${registry} ${service}`);
  return [...byName.values()].map((same) => ({ ...same[0]!, isFailing: same.some(({ isFailing }) => isFailing) }));
}
