import { allSections, type SectionName } from "../sections.ts";
import { keysWithoutEffect } from "./keys-without-effect.ts";

type Home = Readonly<{ title: string; section: SectionName; keys: ReadonlySet<string> }>;

const titles: Readonly<Record<SectionName, string>> = {
  root: "the top level",
  route: 'an entry of "Routes"',
  dynamicRoute: 'an entry of "DynamicRoutes"',
  host: 'an entry of "DownstreamHostAndPorts"',
};

// What holds for all routes comes first.
const ownSections = allSections.toSorted((one, other) => rankOf(one.name) - rankOf(other.name));

const homes: readonly Home[] = ownSections.map(({ name, heading, keys }) => {
  const names = [...Object.keys(keys), ...keysWithoutEffect(name).map((key) => key.name)];
  return { title: titles[name] ?? `"${heading}"`, section: name, keys: lowerCase(names) };
});

function rankOf(section: SectionName): number {
  const rank = ["root", "global", "route"].indexOf(section);
  return rank === -1 ? 3 : rank;
}

const mostHomes = 2;

/** Where a key belongs that stands in the wrong object, as messages say it; undefined where it belongs nowhere. */
export function homeOf(name: string, section: SectionName | undefined): string | undefined {
  const lower = name.toLowerCase();
  const found = homes
    .filter((home) => (section === undefined || home.section !== section) && home.keys.has(lower))
    .map(({ title }) => title);
  return found.length === 0 ? undefined : found.slice(0, mostHomes).join(" or ");
}

function lowerCase(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}
