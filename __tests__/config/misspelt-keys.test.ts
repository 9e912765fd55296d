import { describe, expect, test } from "@jest/globals";
import { parseSources } from "../../src/config/files/parse-sources.ts";
import type { SourceFile } from "../../src/config/files/sources.ts";
import { ownLocks } from "../../src/config/ocelot/locks.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { rootSection } from "../../src/config/sections.ts";
import { ConfigError } from "../../src/errors.ts";
import type { Section } from "../../src/schema/key.ts";
import { oldKeys } from "../../src/schema/old-keys.ts";
import { runAtOnce } from "../../src/time-slices.ts";
import { eachOf, isEndless, isLong, sampled } from "../fuzz/bounds.ts";
import { createLogBook, route } from "./configurations.ts";
import { editsOf, kept } from "./edits.ts";

type Written = Readonly<Record<string, unknown>>;
type Logger = ReturnType<typeof createLogBook>["logger"];

/** An object that a configuration may hold: what guards something refuses keys that it does not know. */
type Place = Readonly<{ name: string; section: Section; within: (members: Written) => Written }>;

// What lists hold besides, so that an entry of an overlay finds the one that it is laid over.
const entries: Readonly<Record<string, Written>> = {
  Routes: route(),
  DynamicRoutes: { ServiceName: "orders" },
  Aggregates: { UpstreamPathTemplate: "/all/{id}", RouteKeys: ["a", "b"] },
};

// Neither has a factor in common with how many edits there are at a letter.
const eachOfOneSlip = 7;
const eachOfTwoSlips = isLong ? 23 : 391;

/** Every object that the schema knows, each where it may stand. */
const places: readonly Place[] = [...placesWithin({ name: "", section: rootSection, within: (members) => members })];

function* placesWithin(place: Place): Generator<Place> {
  yield place;
  for (const [key, { kind, ...rest }] of Object.entries(place.section.keys)) {
    if (!("section" in rest)) continue;
    const entry = entries[key] ?? {};
    yield* placesWithin({
      name: `${place.name}${place.name === "" ? "" : "."}${key}`,
      section: rest.section,
      within: (members) => {
        const isList = kind === "sections" || kind === "routes";
        const inner = { ...entry, ...members };
        return place.within({ [key]: isList ? [inner] : kind === "record" ? { named: inner } : inner });
      },
    });
  }
}

/** The levels of the findings about members of an object, by the name of the member. */
function levelsOf(place: Place, names: readonly string[], read: (written: Written, logger: Logger) => unknown) {
  const { logger, lines, fields } = createLogBook();
  const members = Object.fromEntries(names.map((name) => [name, "x"]));
  try {
    read(place.within(members), logger);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  const levels = new Map<string, string>();
  for (const [index, field] of fields.entries()) {
    const { message } = field as Readonly<{ message: string }>;
    const name = /^"([^"]*)" /.exec(message)?.[1];
    if (name !== undefined) levels.set(name, lines[index]!.split(" ")[0]!);
  }
  return levels;
}

/** The misspellings of a key that nothing is said of, or no error where there has to be one. */
function silentAmong(place: Place, key: string, read: (written: Written, logger: Logger) => unknown): string[] {
  const { section } = place;
  const isLock = section.isLock === true || section.keys[key]!.isLock === true || ownLocks.has(key);
  const names = misspellingsOf(section, key, isLock);
  const levels = levelsOf(place, names, read);
  return names.filter((name) => (isLock ? levels.get(name) !== "error" : !levels.has(name)));
}

function misspellingsOf(section: Section, key: string, isLock: boolean): readonly string[] {
  const known = [...Object.keys(section.keys), ...(oldKeys[section.name] ?? []).map(({ name }) => name)];
  const taken = new Set([...known, "Extensions"].map((name) => name.toLowerCase()));
  const once = [...editsOf(key, isEndless ? ["q", "-", "s"] : ["q"])];
  const twice = isLock ? once.flatMap((edited) => [...editsOf(edited, ["q"])]) : [];
  const names = [
    ...(isLock ? once : sampled(once, eachOfOneSlip)),
    ...(isEndless ? twice : eachOf(twice, eachOfTwoSlips)),
  ].filter((name) => !kept.test(name));
  return [...new Map(names.map((name) => [name.toLowerCase(), name]))]
    .filter(([lowerCase]) => lowerCase !== "" && !taken.has(lowerCase))
    .map(([, name]) => name);
}

describe("A misspelt key is never silent, and an error where it is a lock's:", () => {
  test.each(places.map((place) => [place.name === "" ? "the top level" : place.name, place] as const))(
    "%s",
    (_name, place) => {
      const silent = Object.keys(place.section.keys).flatMap((key) =>
        silentAmong(place, key, (written, logger) => parseConfig(written, { logger })),
      );
      expect(silent).toEqual([]);
    },
  );
});

describe("The same in what is laid over another file:", () => {
  const base = JSON.stringify(Object.fromEntries(Object.entries(entries).map(([list, entry]) => [list, [entry]])));
  const below: SourceFile = { path: "ocelot.json", role: "part", text: base };
  const guarding = places.filter(({ section }) => {
    return section.isLock === true || Object.values(section.keys).some(({ isLock }) => isLock === true);
  });

  test.each(guarding.map((place) => [place.name, place] as const))("%s", (_name, place) => {
    // In the short form every other key: what reads them is the same in one file, where each has its turn.
    const silent = sampled(Object.keys(place.section.keys), 2).flatMap((key) =>
      silentAmong(place, key, (written, logger) => {
        const above: SourceFile = { path: "ocelot.Production.json", role: "overlay", text: JSON.stringify(written) };
        const sources = { name: "ocelot.json", files: [below, above], passedOver: [] };
        runAtOnce(parseSources(sources, { logger, environmentName: "Production" }));
      }),
    );
    expect(silent).toEqual([]);
  });
});

test("The places are those of the format, authentication in four of them", () => {
  const guarding = places.filter(({ section }) => section.isLock === true).map(({ name }) => name);
  for (const level of ["Routes", "DynamicRoutes", "GlobalConfiguration"]) {
    for (const lock of ["AuthenticationOptions", "RateLimitOptions", "SecurityOptions"]) {
      expect(guarding).toContain(`${level}.${lock}`);
    }
  }
  expect(guarding).toEqual(
    expect.arrayContaining([
      "Aggregates",
      "Aggregates.RouteKeysConfig",
      "GlobalConfiguration.AuthenticationSchemes",
      "GlobalConfiguration.AuthenticationSchemes.Keys",
    ]),
  );
});
