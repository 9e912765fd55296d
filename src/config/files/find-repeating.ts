import { basename } from "node:path";
import type { Finding } from "../problems/problem-list.ts";
import { type EntryIdentity, identityOf } from "./entry-identity.ts";
import type { FileTree } from "./join-parts.ts";
import { joinedListOf } from "./joined-lists.ts";
import { createMeeting, type Meeting } from "./entries-meant.ts";
import { findingAt, type PlacedFile } from "./placed-file.ts";

/** A part most of whose routes stand in another one as well: it was meant to be laid over that, or is left over. */
export function findRepeating(parts: readonly (PlacedFile & FileTree)[]): readonly Finding[] {
  const lists = parts.map(({ root }) => routesIn(root).map((route) => identityOf(joinedListOf("Routes")!, route)));
  const meetings = lists.map(createMeeting);
  const findings: Finding[] = [];
  const repeating = new Set<number>();
  for (const [index, part] of parts.entries()) {
    const own = lists[index]!;
    if (part.isSurelyPart || own.length === 0) continue;
    const other = meetings.findIndex((meet, at) => at !== index && !repeating.has(at) && areMostly(own, meet));
    // Of two that are alike the later one is the repetition, unless only the earlier one is contained in the other.
    if (other === -1 || (other > index && areMostly(lists[other]!, meetings[index]!))) continue;
    repeating.add(index);
    const name = basename(part.path);
    const found = `most of the routes of ${JSON.stringify(name)} stand in ${JSON.stringify(parts[other]!.path)} as well`;
    const ways = `if it belongs to an environment, --environment <name> lays it over the others; if it is a part, --part ${name} says so; --ignore ${name} passes it over`;
    findings.push(findingAt(part, "file-repeats", `${found}: ${ways}`));
  }
  return findings;
}

/** Whether more than half of some routes stand in a list as well. */
function areMostly(routes: readonly EntryIdentity[], meet: Meeting): boolean {
  return routes.filter((route) => meet(route).length > 0).length * 2 > routes.length;
}

function routesIn(root: FileTree["root"]): readonly FileTree["root"][] {
  const members = root.kind === "object" ? root.members : [];
  return members.flatMap(({ name, node }) =>
    joinedListOf(name)?.name === "Routes" && node.kind === "array" ? node.items : [],
  );
}
