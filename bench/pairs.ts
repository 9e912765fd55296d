import { median, medianRange } from "./statistics.ts";

/** CPU microseconds of a request, by two contenders in one round. */
export type Pair = Readonly<{ without: number; withIt: number }>;

/** Two contenders, of which one does more. */
export type Two<Contender> = Readonly<{ without: Contender; withIt: Contender }>;

/** Measures both in turns, so that what disturbs one of the two has mostly disturbed the other. */
export async function measurePairs<Contender>(
  { without, withIt }: Two<Contender>,
  rounds: number,
  measure: (contender: Contender) => Promise<number>,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const isOdd = round % 2 === 1;
    const first = await measure(isOdd ? without : withIt);
    const second = await measure(isOdd ? withIt : without);
    pairs.push(isOdd ? { without: first, withIt: second } : { without: second, withIt: first });
  }
  return pairs;
}

/** What pairs come to: medians, and where the true median of the ratios lies in 19 of 20 cases. */
export function summarisePairs(pairs: readonly Pair[]): Pair & Readonly<{ ratio: number; low: number; high: number }> {
  const ratios = pairs.map(({ without, withIt }) => withIt / without);
  return {
    without: median(pairs.map(({ without }) => without)),
    withIt: median(pairs.map(({ withIt }) => withIt)),
    ratio: median(ratios),
    ...medianRange(ratios),
  };
}
