import { expect, test } from "@jest/globals";
import { timesUsual } from "../helpers/compare-costs.ts";
import { processorTimeOf } from "../helpers/processor-time.ts";
import { parseSources } from "../../src/config/files/parse-sources.ts";
import { ConfigError, parseConfig } from "../../src/index.ts";
import { runAtOnce } from "../../src/time-slices.ts";

// Whoever writes a configuration may be a program, or somebody who means harm: no text costs much more than an ordinary
// one of its length, whatever is wrong with it. Ratios of CPU time, since machines differ.

const mostTimes = 8;
// A name that nobody knows is compared with each that there is: much work for its length, but the same for every name.
const mostTimesOfNames = 30;
const target = { DownstreamPathTemplate: "/x", DownstreamHostAndPorts: [{ Host: "a.internal" }] };

const tokens = Object.fromEntries(
  Array.from({ length: 1_000 }, (_, index) => [`TOKEN_${index}`, `the-value-of-a-secret-${index}`]),
);

function write(count: number, routeAt: (index: number) => object): string {
  return JSON.stringify({ Routes: Array.from({ length: count }, (_, index) => ({ ...target, ...routeAt(index) })) });
}

function path(template: string, more: object = {}): object {
  return { UpstreamPathTemplate: template, ...more };
}

function one(more: object, template = "/a"): string {
  return write(1, () => path(template, more));
}

function list(count: number, textAt: (index: number) => string, separator = ""): string {
  return Array.from({ length: count }, (_, index) => textAt(index)).join(separator);
}

function members(count: number, name: string): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, "1"]));
}

const dashed = (count: number, end: string): string => `/${list(count, (index) => `{p${index}}-`)}${end}`;

/** A template with many placeholders, or a literal in which each of them may begin and end nearly everywhere. */
function dashesAt(index: number, placeholders: number): string {
  return index % 2 === 0 ? dashed(placeholders + index, "x") : `/${"-1".repeat(150)}y${index}`;
}

const rows: readonly (readonly [what: string, make: () => string, most?: number])[] = [
  [
    "1,000 secret variables, and as many problems",
    () =>
      write(1_000, (index) => {
        const target = { Host: "a.internal", Port: 70_000 + index };
        return path(`/a/${index}`, {
          DownstreamHostAndPorts: [target],
          Metadata: { note: `\${TOKEN_${index}}` },
        });
      }),
  ],
  ["brackets without end", () => "[".repeat(300_000)],
  ["objects without end", () => `{"Routes":${'{"a":'.repeat(60_000)}`],
  ["texts that are not closed", () => `{"Routes":[${'"\n'.repeat(15_000)}`],
  ["escaped quotes that are not closed", () => `{"Routes":[{"Timeout":"x"}]} ${'"\\'.repeat(100_000)}`],
  ["comments that are not closed", () => `{"Routes":[${"/* ".repeat(80_000)}`],
  ["2,500 routes for the same requests", () => write(2_500, () => path("/a/{b}"))],
  ["2,500 routes for the same requests by other names", () => write(2_500, (index) => path(`/a/{b${index}}`))],
  [
    "2,500 routes with some methods in common",
    () => write(2_500, (index) => path(`/a/{b${index}}`, { UpstreamHttpMethod: ["GET", index % 2 ? "PUT" : "POST"] })),
  ],
  ["2,500 routes that mix text and a value", () => write(2_500, (index) => path(`/a/{b}-${index}-{c}/{d}`))],
  ["2,500 routes that mix text and a rest", () => write(2_500, (index) => path(`/a/{b}-${index}-{c}`))],
  ["2,500 routes that differ behind values", () => write(2_500, (index) => path(`/{a}/{b}/{c}/${index}/{d}`))],
  [
    "1,250 routes that cross one another",
    () => write(1_250, (index) => path(list(14, (bit) => ((index >> bit) & 1 ? "/a" : `/{p${bit}}`)))),
  ],
  ["nine placeholders beside dashes", () => write(30, (index) => path(dashesAt(index, 9)))],
  ["sixty placeholders beside dashes", () => write(30, (index) => path(dashesAt(index, 60)))],
  [
    "services with sixty placeholders beside dashes",
    () =>
      write(30, (index) => {
        const [own, longer] = ["a/b", `a/b/${"-1".repeat(150)}${index}`];
        const service = { DownstreamPathTemplate: dashed(60, "x"), ServiceName: index === 0 ? own : longer };
        return path(dashed(60, `${index}`), service);
      }),
  ],
  ["10,000 placeholders in a segment", () => one({}, dashed(10_000, "x"))],
  ["one placeholder 8,000 times", () => one({}, `/${"{a}-".repeat(8_000)}`)],
  ["10,000 segments with placeholders", () => one({}, `/${list(10_000, (index) => `{p${index}}`, "/")}`)],
  [
    "placeholders that are all mistyped",
    () => {
      const written = list(2_000, (index) => `{placehodler_of_some_length_${index}}`, "/");
      return one({ DownstreamPathTemplate: `/${written}` }, `/${written.replaceAll("hodler", "holder")}`);
    },
  ],
  ["8,000 parameters", () => one({}, `/a?${list(8_000, (index) => `a${index}={b${index}}`, "&")}`)],
  [
    "a service name of 5,000 segments",
    () => write(50, (index) => path("/a/{r}", { ServiceName: "a/".repeat(5_000 - index) })),
  ],
  ["a host of colons", () => one({ DownstreamHostAndPorts: [{ Host: `${":".repeat(50_000)}x` }] })],
  ["a number of many digits", () => one({ Timeout: `${"1".repeat(50_000)}x` })],
  [
    "4,000 unknown methods",
    () => one({ UpstreamHttpMethod: Array.from({ length: 4_000 }, (_, index) => `GETX${index}`) }),
    mostTimesOfNames,
  ],
  ["2,000 mistyped keys", () => one(members(2_000, "UpstreamPathTemplat")), mostTimesOfNames],
  [
    "2,000 keys, none of them the template",
    () => JSON.stringify({ Routes: [members(2_000, "upstreamPathTempl")] }),
    mostTimesOfNames,
  ],
  ["a key of a million letters", () => one({ ["U".repeat(1_000_000)]: 1 })],
  ["7,500 header templates", () => one({ UpstreamHeaderTemplates: members(7_500, "x-h") })],
  ["7,500 names that are no headers", () => one({ UpstreamHeaderTemplates: members(7_500, "x h") })],
  ["8,000 origins that are none", () => one({ AllowedOrigins: Array.from({ length: 8_000 }, () => "x/y") })],
  ["one key 15,000 times", () => `{"Routes":[{${'"Timeout":1,'.repeat(15_000)}"a":1}]}`],
  ["colons in a text", () => `{"Routes":[{"Metadata":{"a":"/${":".repeat(50_000)}"},"Timeout":"x"}]}`],
  ["a text of a million letters", () => one({ Metadata: { a: "x".repeat(1_000_000) }, Timeout: "x" })],
  ["faults in the syntax, and in 2,500 routes", () => write(2_500, () => path("/a", { Timeout: "x" })).slice(0, -3)],
  ["variables that are not closed", () => one({ Metadata: { a: "${A:-{}".repeat(8_000) } })],
  ["variables within variables", () => one({ Metadata: { a: "${A:-{".repeat(8_000) } })],
  [
    "a variable that is not closed, and many that are",
    () => one({ Metadata: { a: `\${A:-${"${A:-{}}$${}".repeat(8_000)}` } }),
  ],
  ["a default of a million letters", () => one({ Metadata: { a: `\${A:-${"{}x".repeat(300_000)}}` } })],
];

const ordinary = write(400, (index) => path(`/service-${index}/{id}`, { Metadata: { owner: `team ${index}` } }));
// What is done for every text, however short it is.
const leastLength = 60_000;

const usual = (): number => costOf(ordinary);

function costOf(text: string): number {
  return processorTimeOf(() => read(text)) / Math.max(leastLength, text.length);
}

function read(text: string): void {
  try {
    parseConfig(text, { logger: false, lint: true, environment: tokens });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
}

test.each(rows)(
  "a configuration with %s takes little more time than another one of its length",
  async (_what, make, most = mostTimes) => {
    const text = make();
    expect(await timesUsual({ suspected: () => costOf(text), usual, most, atFirst: 1 })).toBeLessThan(most);
  },
  60_000,
);

const wide = JSON.stringify({ GlobalConfiguration: { Metadata: members(12_000, "key") } });

const repeated = `{"GlobalConfiguration":{"Metadata":{${list(4_000, () => '"a":"1"', ",")}}}}`;

const overlays: readonly (readonly [what: string, beneath: string, above: string])[] = [
  ["another object of 12,000 members", wide, wide],
  ["one of 12,000 other members", wide.replaceAll("key", "other"), wide],
  ["one key that stands there 4,000 times", repeated, repeated],
];

function costOverlaid(beneath: string, above: string): number {
  const files = [
    { path: "ocelot.a.json", role: "part", text: beneath },
    { path: "ocelot.Production.json", role: "overlay", text: above },
  ] as const;
  const sources = { name: "it", files, passedOver: [] };
  const cost = processorTimeOf(() => {
    try {
      runAtOnce(parseSources(sources, { logger: false, environmentName: "Production" }));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
    }
  });
  return cost / Math.max(leastLength, beneath.length + above.length);
}

test.each(overlays)(
  "a file that is laid over %s takes little more time than a configuration of their length",
  async (_what, beneath, above) => {
    const suspected = (): number => costOverlaid(beneath, above);
    expect(await timesUsual({ suspected, usual, most: mostTimes, atFirst: 1 })).toBeLessThan(mostTimes);
  },
  60_000,
);

function writeSchemes(schemes: number, keysOfEach: number): string {
  const keyOf = (index: number): object => ({ Name: `k${index}`, Sha256: `${index}`.padStart(64, "0") });
  const keys = Array.from({ length: keysOfEach }, (_, index) => keyOf(index));
  const named = Array.from({ length: schemes }, (_, index) => [`s${index}`, { Type: "ApiKey", Keys: keys }]);
  return JSON.stringify({ Routes: [], GlobalConfiguration: { AuthenticationSchemes: Object.fromEntries(named) } });
}

test("24,000 API keys of one scheme take little more time than those of many schemes", async () => {
  const most = 3;
  const [one, many] = [writeSchemes(1, 24_000), writeSchemes(48, 500)];
  expect(await timesUsual({ suspected: () => costOf(one), usual: () => costOf(many), most, atFirst: 1 })).toBeLessThan(
    most,
  );
}, 60_000);
