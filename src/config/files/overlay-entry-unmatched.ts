import { closestName } from "../../closest-name.ts";
import { quote } from "../../json/json-node.ts";
import type { Place } from "../../json/place.ts";
import type { Steps } from "../../time-slices.ts";
import type { Report } from "../problems/problem-list.ts";
import type { EntryIdentity } from "./entry-identity.ts";
import { findMemberNode } from "./find-member-node.ts";
import type { JoinedList } from "./joined-lists.ts";

/** An entry of an overlay that is about none beneath. */
export type UnmetEntry = Readonly<{ at: Place; identity: EntryIdentity }>;

/** The list in which such entries stand: what is beneath it, and whether there are no other entries in it. */
type UnmetIn = Readonly<{ list: JoinedList; beneath: readonly EntryIdentity[]; areAll: boolean }>;

// Each is looked for among all that is beneath.
const mostHints = 100;

/** Reports entries that are about none beneath: once for all, where they look like a configuration of their own. */
export function* reportUnmet(unmet: readonly UnmetEntry[], within: UnmetIn, report: Report): Steps<void> {
  const [first, second] = unmet;
  if (first === undefined) return;
  const isWhole = second !== undefined && within.areAll && unmet.every(({ at }) => isWholeEntry(at, within.list));
  if (isWhole) {
    reportWhole(first.at, `none of the ${unmet.length} ${within.list.item}s`, report);
    return;
  }
  const anchors = new Set(within.list.name === "Routes" ? within.beneath.map(({ anchor }) => anchor) : []);
  for (const [index, entry] of unmet.entries()) {
    yield;
    const { anchor } = entry.identity;
    if (anchor !== undefined && anchors.has(anchor)) reportOtherwise(entry.at, anchor, report);
    else reportOne(entry, within, { report, hints: index < mostHints });
  }
}

/** What is laid over something else says only what is different there. */
function isWholeEntry({ node }: Place, { name }: JoinedList): boolean {
  const needed = neededBy.get(name);
  return needed !== undefined && findMemberNode(node, needed) !== undefined;
}

const neededBy: ReadonlyMap<string, string> = new Map([
  ["Routes", "DownstreamPathTemplate"],
  ["Aggregates", "RouteKeys"],
]);

function reportWhole(at: Place, none: string, report: Report): void {
  report(
    "overlay-unmatched",
    at,
    `${none} of this file could be laid over one beneath, and each is whole: if the file is a configuration of its own, give it alone; if they are meant to be added, say "New": true in each`,
  );
}

type Telling = Readonly<{ report: Report; hints: boolean }>;

function reportOne({ at, identity }: UnmetEntry, { list, beneath }: UnmetIn, { report, hints }: Telling): void {
  const { key, anchor } = identity;
  const found =
    key === undefined && anchor === undefined
      ? `nothing says which ${list.item} this is about: write its ${list.name === "DynamicRoutes" ? '"ServiceName"' : '"Key", or its "UpstreamPathTemplate"'}`
      : `there is no ${list.item} ${[key, anchor].flatMap((text) => (text === undefined ? [] : [quote(text)])).join(" ")} beneath that this could be laid over`;
  const known = hints ? beneath.flatMap((one) => (key === undefined ? one.anchor : one.key) ?? []) : [];
  const closest = closestName(key ?? anchor ?? "", known);
  const hint = closest === undefined || closest === (key ?? anchor) ? "" : ` – did you mean ${quote(closest)}?`;
  report("overlay-unmatched", at, `${found}${hint}; if it is meant to be added, say "New": true`);
}

/** The template alone is not what tells routes apart. */
function reportOtherwise(at: Place, anchor: string, report: Report): void {
  report(
    "overlay-unmatched",
    at,
    `what stands beneath for ${quote(anchor)} is another route, by "Key", methods, "UpstreamHost" or header templates: write the same here to change that one, or "New": true to add this`,
  );
}
