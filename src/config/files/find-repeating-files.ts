import { basename } from "node:path";
import type { Steps } from "../../time-slices.ts";
import type { Finding } from "../problems/problem-list.ts";
import { createMeeting, type Meeting } from "./entry-beneath-overlay-entry.ts";
import { type EntryIdentity, identityOf } from "./entry-identity.ts";
import type { FileTree } from "./join-parts.ts";
import { joinedListOf } from "./joined-lists.ts";
import { findingAt, type PlacedFile } from "./file-at-offset.ts";

/** A part most of whose routes stand in another one as well: it was meant to be laid over that, or is left over. */
export function* findRepeating(parts: readonly (PlacedFile & FileTree)[]): Steps<readonly Finding[]> {
  const lists = parts.map(({ root }) => routesIn(root).map((route) => identityOf(joinedListOf("Routes")!, route)));
  const mostlyIn = createMostlyIn(lists);
  const findings: Finding[] = [];
  const repeating = new Set<number>();
  for (const [index, part] of parts.entries()) {
    if (part.isSurelyPart) continue;
    const other = (yield* mostlyIn(index)).find((at) => !repeating.has(at));
    // Of two that are alike the later one is the repetition, unless only the earlier one is contained in the other.
    if (other === undefined || (other > index && (yield* mostlyIn(other)).includes(index))) continue;
    repeating.add(index);
    const name = basename(part.path);
    const found = `most of the routes of ${JSON.stringify(name)} stand in ${JSON.stringify(parts[other]!.path)} as well`;
    const ways = `if it belongs to an environment, --environment <name> lays it over the others; if it is a part, --part ${name} says so; --ignore ${name} passes it over`;
    findings.push(findingAt(part, "file-repeats", `${found}: ${ways}`));
  }
  return findings;
}

/** Makes the function that lists, in order, the other parts in which more than half of the routes of one stand as well. */
function createMostlyIn(lists: readonly (readonly EntryIdentity[])[]): (index: number) => Steps<readonly number[]> {
  const partOf = lists.flatMap((list, index) => list.map(() => index));
  const meeting = createMeeting(lists.flat());
  const known = new Map<number, readonly number[]>();

  return function* mostlyIn(index) {
    const found = known.get(index) ?? (yield* look(index));
    known.set(index, found);
    return found;
  };

  function* look(index: number): Steps<readonly number[]> {
    const counts = new Map<number, number>();
    const own = lists[index]!;
    for (const route of own) {
      for (const other of partsWith(route, partOf, meeting)) counts.set(other, (counts.get(other) ?? 0) + 1);
      yield;
    }
    counts.delete(index);
    const most = [...counts].flatMap(([other, count]) => (count * 2 > own.length ? [other] : []));
    return most.sort((one, other) => one - other);
  }
}

function partsWith(route: EntryIdentity, partOf: readonly number[], { meetAny }: Meeting): ReadonlySet<number> {
  const parts = new Set<number>();
  for (const met of meetAny(route)) parts.add(partOf[met]!);
  return parts;
}

function routesIn(root: FileTree["root"]): readonly FileTree["root"][] {
  const members = root.kind === "object" ? root.members : [];
  return members.flatMap(({ name, node }) =>
    joinedListOf(name)?.name === "Routes" && node.kind === "array" ? node.items : [],
  );
}
