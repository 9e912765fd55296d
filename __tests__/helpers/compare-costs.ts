/** Does something once, and gives what that cost, in a unit of its own choice. */
export type Cost = () => number | Promise<number>;

/** What is suspected of costing too much, and how often it is looked at before it is called expensive. */
export type Suspicion = Readonly<{
  suspected: Cost;
  /** What it has to stay below: a cost, or where it is compared, so many times the usual one. */
  most: number;
  /** How often it is measured in the first round; those that follow are two to five times as long. */
  atFirst?: number;
}>;

const rounds = 5;
const warm = new WeakSet<Cost>();

/**
 * The least that something costs. Other work on the machine makes everything cost more now and then, and vanishes in the
 * least of many rounds; what is expensive by itself is so each time.
 */
export function leastCost({ suspected, most, atFirst = 1 }: Suspicion): Promise<number> {
  return timesUsual({ suspected, most, atFirst, usual: () => 1 });
}

/** How many times the usual case something costs: the least of each, measured in turn, so that both meet the same noise. */
export async function timesUsual(comparison: Suspicion & Readonly<{ usual: Cost }>): Promise<number> {
  const { suspected, usual, most, atFirst = 3 } = comparison;
  const least = { suspected: Infinity, usual: Infinity };
  // The first time costs more than the later ones, which must not make the usual case look expensive.
  if (!warm.has(usual)) await usual();
  warm.add(usual);
  for (let round = 1; round <= rounds; round += 1) {
    for (let count = 0; count < atFirst * round; count += 1) {
      least.usual = Math.min(least.usual, await usual());
      least.suspected = Math.min(least.suspected, await suspected());
    }
    if (least.suspected / least.usual < most) break;
  }
  return least.suspected / least.usual;
}
