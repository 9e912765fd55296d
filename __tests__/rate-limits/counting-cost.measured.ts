import { expect, test } from "@jest/globals";
import { createGuesses } from "../../src/capabilities/rate-limits/guesses-under-way.ts";
import type { MatchedExchange } from "../../src/exchange/matched-exchange.ts";
import { memoryStore } from "../../src/index.ts";
import { timesUsual } from "../helpers/compare-costs.ts";
import { processorTimeOf, processorTimeUntil } from "../helpers/processor-time.ts";

const quota = { limit: 10, period: 1_000, wait: 0 };

/** What a thousand newcomers cost where so many counts are alive, of which as many end as begin. */
function costOfNewcomers(alive: number): () => number {
  const clock = { now: 0 };
  const store = memoryStore({ now: () => clock.now });
  let clients = 0;
  const come = (count: number): void => {
    for (const last = clients + count; clients < last; clients += 1) {
      clock.now += quota.period / alive;
      store.take([{ route: "r", group: "g", client: `client ${clients}`, quota, amount: 1 }]);
    }
  };
  come(2 * alive);
  return () => processorTimeOf(() => come(1_000));
}

test.each([1_000, 50_000])("a newcomer among %i costs little more than among ten", async (alive) => {
  const cost = { suspected: costOfNewcomers(alive), usual: costOfNewcomers(10), most: 4 };
  expect(await timesUsual(cost)).toBeLessThan(4);
});

/** What each of so many guesses costs that all wait at the same time, one behind the other. */
async function costOfGuesses(count: number): Promise<number> {
  const { begin, wait, end } = createGuesses();
  const exchanges = Array.from({ length: count }, () => ({}) as MatchedExchange);
  const guessing = (): Promise<unknown> =>
    Promise.all(
      exchanges.map(async (exchange) => {
        while (!begin(exchange, "name", 1)) await wait(exchange, "name");
        await Promise.resolve();
        end(exchange);
      }),
    );
  return (await processorTimeUntil(guessing)) / count;
}

test("a guess among 100,000 that wait costs little more than among a thousand", async () => {
  const cost = { suspected: () => costOfGuesses(100_000), usual: () => costOfGuesses(1_000), most: 8, atFirst: 1 };
  expect(await timesUsual(cost)).toBeLessThan(8);
});
