import { expect, test } from "@jest/globals";
import { parseSources } from "../../src/config/files/parse-sources.ts";
import type { SourceFile } from "../../src/config/files/sources.ts";
import { parseConfig, parseText } from "../../src/config/parse-config.ts";
import { ConfigError, type GatewayConfig } from "../../src/index.ts";
import type { Steps } from "../../src/time-slices.ts";
import { leastCost } from "../helpers/compare-costs.ts";
import { processorTime } from "../helpers/processor-time.ts";
import { routeTo } from "../reload/scene.ts";
import { refusalOf, route } from "./configurations.ts";

// A file is read while requests are served: whatever is wrong with it, no step of that may take long.

const routes = 2_500;
// Garbage collection comes on top of the work, but seldom at the same step; reading such a text in
// one piece takes 80 ms and more.
const mostMilliseconds = 20;

// What belongs together in several files is looked for in one piece.
const mostForSeveral = 60;

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
    const suspected = () => longestStep(parseText({ text }, { logger: false }), problems);
    expect(await leastCost({ suspected, most: mostMilliseconds })).toBeLessThan(mostMilliseconds);
  },
  60_000,
);

const hostOf = (index: number, tenant: string) => ({
  UpstreamPathTemplate: "/{everything}",
  UpstreamHost: `${tenant}-${index}.example`,
});
const tenantsOf = (tenant: string): string =>
  write((index) => ({ ...hostOf(index, tenant), DownstreamPathTemplate: "/" }));
const tenants = tenantsOf("a");
const overlayOf = (entryOf: (index: number) => object): string =>
  JSON.stringify({ Routes: Array.from({ length: routes }, (_, index) => ({ ...entryOf(index), Timeout: 5 })) });
const part = (path: string, text: string): SourceFile => ({ path, text, role: "part" });
const overlay = (text: string): SourceFile => ({ path: "ocelot.Production.json", text, role: "overlay" });

const folders: readonly (readonly [string, SourceFile[], number])[] = [
  ["two parts for hosts of one path", [part("a", tenants), part("b", tenantsOf("b"))], 0],
  ["a hundred parts", Array.from({ length: 100 }, (_, at) => part(`${at}`, write25(at))), 0],
  ["an overlay for each host", [part("a", tenants), overlay(overlayOf((index) => hostOf(index, "a")))], 0],
  [
    "an overlay whose entries leave their host out",
    [part("a", tenants), overlay(overlayOf(() => ({ UpstreamPathTemplate: "/{everything}" })))],
    1,
  ],
  [
    "an overlay whose entries are about nothing",
    [part("a", tenants), overlay(overlayOf((index) => ({ UpstreamPathTemplate: `/service-${index}/{i}` })))],
    routes,
  ],
];

function write25(at: number): string {
  return JSON.stringify({ Routes: Array.from({ length: 25 }, (_, index) => routeTo(9_000, `/${at}/${index}`, {})) });
}

test.each(folders)(
  "no step of reading several files is long: %s",
  async (_what, files, problems) => {
    const sources = { name: "folder", files, passedOver: [] };
    const options = { logger: false, environmentName: "Production" } as const;
    const suspected = () => longestStep(parseSources(sources, options), problems);
    expect(await leastCost({ suspected, most: mostForSeveral })).toBeLessThan(mostForSeveral);
  },
  60_000,
);

/** In milliseconds that the thread itself has worked. */
function longestStep(steps: Steps<GatewayConfig>, problems: number): number {
  let longest = 0;
  for (;;) {
    const before = processorTime();
    const isOver = takeStep(steps, problems);
    longest = Math.max(longest, (processorTime() - before) / 1_000);
    if (isOver) return longest;
  }
}

function takeStep(steps: Steps<GatewayConfig>, problems: number): boolean {
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

test("Ten thousand routes are read, and as many repeats are all reported", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => route({ UpstreamPathTemplate: `/orders${index}/{id}` }));
  const repeats = many.map((each) => ({ ...each, UpstreamPathTemplate: "/orders/{id}" }));

  expect(parseConfig(JSON.stringify({ Routes: many }), { logger: false }).routes).toHaveLength(10_000);
  expect(refusalOf(JSON.stringify({ Routes: repeats })).problems).toHaveLength(9_999);
});
