import * as z from "zod";
import {
  createMetadataReader,
  type GetMetadata,
  type MetadataType,
} from "../src/capabilities/metadata/get-metadata.ts";
import { mergeMetadata } from "../src/capabilities/metadata/merge-metadata.ts";

/** What a figure measures, in nanoseconds for one read, and what it must stay below. */
type Figure = Readonly<{ name: string; nanoseconds: number; bound: number }>;

const routes = 2_000;
const rounds = 10;
const repeats = 1_000_000;
const tries = 5;
const options = { CurrentCulture: "de-DE" };

const limits = z.object({
  name: z.string(),
  plans: z.array(z.object({ id: z.int(), label: z.string(), price: z.number(), tags: z.array(z.string()) })),
});
const plan = (id: number) => ({ id, label: `plan number ${id}`, price: id + 0.25, tags: ["alpha", "beta"] });
const kibibyte = JSON.stringify({ name: "limits", plans: Array.from({ length: 13 }, (_, id) => plan(id)) }).padEnd(
  1024,
);

const texts: readonly (readonly [type: MetadataType, text: string])[] = [
  ["string", "some text"],
  ["string[]", "one, two, three"],
  ["byte", "200"],
  ["sbyte", "-100"],
  ["short", "-1.234"],
  ["ushort", "1.234"],
  ["int", "-1.234.567"],
  ["uint", "1.234.567"],
  ["long", "-9.223.372.036.854.775.807"],
  ["ulong", "18.446.744.073.709.551.615"],
  ["float", "1.234,5678"],
  ["double", "1.234,5678E-3"],
  ["decimal", "79.228.162.514.264.337.593,543950335 €"],
  ["bool", "enabled"],
  ["bool?", "off"],
  ["json", kibibyte],
  [limits, kibibyte],
];

function nameOf(type: MetadataType): string {
  return typeof type === "string" ? type : "schema";
}

function readersOf(text: string, count: number): GetMetadata[] {
  const metadata = mergeMetadata({ value: text }, {});
  return Array.from({ length: count }, (_, index) =>
    createMetadataReader({ routeId: String(index), layers: { route: metadata }, options }),
  );
}

/** Nanoseconds of processor time of this thread. Its clock is coarse, so that only long runs are of use. */
function processorTime(run: () => void): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) * 1000;
}

/** The best of some tries after one that warms up: what else the machine does can only make them slower. */
function best(attempt: () => number): number {
  const [, ...times] = Array.from({ length: tries + 1 }, attempt);
  return Math.min(...times);
}

let sink: unknown;

function repeatedRead(type: MetadataType, text: string): number {
  const [getMetadata] = readersOf(text, 1);
  return best(() => {
    const time = processorTime(() => {
      for (let index = 0; index < repeats; index++) sink = getMetadata!("value", type);
    });
    return time / repeats;
  });
}

/** In each round all routes are made anew, and what they read is kept until the next. */
function firstRead(type: MetadataType, text: string): number {
  return best(() => {
    let time = 0;
    for (let round = 0; round < rounds; round++) {
      const readers = readersOf(text, routes);
      time += processorTime(() => {
        for (const getMetadata of readers) sink = getMetadata("value", type);
      });
    }
    return time / (rounds * routes);
  });
}

const firstReadBounds: Readonly<Record<string, number>> = { json: 20_000, schema: 20_000 };

const figures: readonly Figure[] = texts.flatMap(([type, text]) => [
  { name: `repeated read, ${nameOf(type)}`, nanoseconds: repeatedRead(type, text), bound: 100 },
  {
    name: `first read, ${nameOf(type)}`,
    nanoseconds: firstRead(type, text),
    bound: firstReadBounds[nameOf(type)] ?? 5_000,
  },
]);

for (const { name, nanoseconds, bound } of figures) {
  const verdict = nanoseconds < bound ? "" : "  MISSED";
  console.log(`${name.padEnd(28)} ${nanoseconds.toFixed(1).padStart(9)} ns   (bound ${bound} ns)${verdict}`);
}
if (sink === undefined || figures.some(({ nanoseconds, bound }) => nanoseconds >= bound)) process.exitCode = 1;
