import type { HostCondition } from "../../hosts/host-condition.ts";
import type { HostRow } from "./host-rows.ts";

/** A host as several processes see it, each with a circuit breaker of its own: in the worst state, and how many say so. */
export type SummedHost = HostRow & Readonly<{ stateIn: number }>;

/** The worst last. */
const conditions: readonly HostCondition[] = ["up", "half-open", "open", "down"];

/** Sums what several processes say of the hosts of a gateway; those in trouble come first. */
export function sumHosts(lists: readonly (readonly HostRow[])[]): readonly SummedHost[] {
  const byPlace = Map.groupBy(lists.flatMap(withPlaces), ({ place }) => place);
  const summed = [...byPlace.values()].map((places) => sumHost(places.map(({ row }) => row)));
  return summed.sort((one, other) => Number(one.state === "up") - Number(other.state === "up"));
}

type PlacedRow = Readonly<{ place: string; row: HostRow }>;

/** A route may list a host several times. */
function withPlaces(rows: readonly HostRow[]): PlacedRow[] {
  const times = new Map<string, number>();
  return rows.map((row) => {
    const name = `${row.route} ${row.host}`;
    const time = times.get(name) ?? 0;
    times.set(name, time + 1);
    return { place: `${time} ${name}`, row };
  });
}

function sumHost(rows: readonly HostRow[]): SummedHost {
  const [worst] = rows.toSorted((one, other) => conditions.indexOf(other.state) - conditions.indexOf(one.state));
  return {
    ...worst!,
    running: rows.reduce((all, { running }) => all + running, 0),
    wait: Math.max(...rows.map(({ wait }) => wait)),
    stateIn: rows.filter(({ state }) => state === worst!.state).length,
  };
}
