import fc from "fast-check";
import type { AppName } from "../everything-on/create-apps.ts";
import { timesUsual } from "../helpers/compare-costs.ts";
import type { PlacedValue } from "./arbitrary-conversation.ts";
import { firstSeed, isEndless } from "./bounds.ts";
import { clientPlaces } from "./client-places.ts";
import { fillings, lengths } from "./client-values.ts";
import { converse } from "./converse.ts";
import { ordinary, type Scene } from "./scene.ts";

const mostTimes = 20;
const samples = 40;

const longLengths = lengths.filter((length) => length >= 4_000);

/** All long values where FUZZ_SECONDS are set, some of them otherwise. */
function candidates(): readonly PlacedValue[] {
  const all = clientPlaces.flatMap(({ name }) =>
    longLengths.flatMap((length) => fillings.map((filling) => ({ place: name, value: { length, filling } }))),
  );
  return isEndless ? all : fc.sample(fc.constantFrom(...all), { seed: firstSeed, numRuns: samples });
}

/**
 * Asks one request after the other, measures the CPU time of the gateway's thread around each, and tells which take too
 * many times the time of an ordinary one.
 */
export async function findExpensive({ gateway, numbered }: Scene): Promise<string[]> {
  const found: string[] = [];
  for (const app of ["compressing", "plain"] as const) {
    const usual = () => measure(app, ordinary);
    for (const placed of candidates()) {
      const suspected = () => measure(app, placed);
      const times = await timesUsual({ suspected, usual, most: mostTimes, atFirst: 1 });
      const { length, filling } = placed.value;
      if (times < mostTimes) continue;
      found.push(`${app}, ${placed.place}, ${length} of ${JSON.stringify(filling)}: ${Math.round(times)} times`);
    }
  }
  return found;

  async function measure(app: AppName, placed: PlacedValue): Promise<number> {
    const before = await gateway.ask("cpu");
    await converse(gateway.ports[app], [numbered(placed)]);
    return (await gateway.ask("cpu")) - before;
  }
}
