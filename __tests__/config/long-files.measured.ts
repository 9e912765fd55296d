import { expect, test } from "@jest/globals";
import { parseText } from "../../src/config/parse-config.ts";
import { ConfigError } from "../../src/index.ts";
import { leastCost } from "../helpers/compare-costs.ts";
import { processorTime } from "../helpers/processor-time.ts";
import { routeTo } from "../reload/scene.ts";

// A file is read while requests are served: whatever is wrong with it, no step of that may take long.

const routes = 2_500;
// Garbage collection comes on top of the work, but seldom at the same step; reading such a text in
// one piece takes 80 ms and more.
const mostMilliseconds = 20;

function write(more: (index: number) => object): string {
  const list = Array.from({ length: routes }, (_, index) => routeTo(9_000, `/service-${index}/{id}`, more(index)));
  return JSON.stringify({ Routes: list }, null, 2);
}

const good = write(() => ({}));

function withNumbers(text: string): string {
  const numbers = Array.from({ length: 250_000 }, (_, index) => index);
  return `${text.slice(0, -1)}, "GlobalConfiguration": { "Extensions": [${numbers.join()}] } }`;
}

const files: readonly (readonly [string, string, number])[] = [
  ["nothing", good, 0],
  ["the last bracket, which is missing", good.slice(0, -3), 1],
  ["a fault in the middle", `${good.slice(0, good.length / 2)}"x" "y" ${good.slice(good.length / 2)}`, 1],
  ["its last route", write((index) => (index === routes - 1 ? { Timeout: "x" } : {})), 1],
  ["every route", write((index) => ({ Timeout: `x${index}` })), routes],
  ["every route, in a single line", JSON.stringify(JSON.parse(write((index) => ({ Timeout: `x${index}` })))), routes],
  ["every route in the same way", write(() => ({ Timeout: "x" })), 1],
  ["nothing, beside 250,000 numbers that are the user's own", withNumbers(good), 0],
  ["every key, which is repeated", write(() => ({ Key: "a" })), routes - 1],
];

test.each(files)(
  "no step of reading 2,500 routes is long where what is wrong is %s",
  async (_what, text, problems) => {
    const suspected = () => longestStep(text, problems);
    expect(await leastCost({ suspected, most: mostMilliseconds })).toBeLessThan(mostMilliseconds);
  },
  60_000,
);

/** In milliseconds that the thread itself has worked. */
function longestStep(text: string, problems: number): number {
  const steps = parseText({ text: text }, { logger: false });
  let longest = 0;
  for (;;) {
    const before = processorTime();
    const isOver = takeStep(steps, problems);
    longest = Math.max(longest, (processorTime() - before) / 1_000);
    if (isOver) return longest;
  }
}

function takeStep(steps: ReturnType<typeof parseText>, problems: number): boolean {
  try {
    const { done } = steps.next();
    if (done === true) expect(problems).toBe(0);
    return done === true;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.problems).toHaveLength(problems);
    return true;
  }
}
