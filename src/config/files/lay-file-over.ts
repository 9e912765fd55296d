import { isEmptyNode, type JsonMember } from "../../json/json-node.ts";
import { placeWithin, rootPlace } from "../../json/place.ts";
import type { Steps } from "../../time-slices.ts";
import { globalSection } from "../sections.ts";
import { type FileTree, type JoinedRoot, membersOf } from "./join-parts.ts";
import { joinedListOf } from "./joined-lists.ts";
import { layEntries, type Telling } from "./lay-entries.ts";
import { isAbsent, layOver } from "./lay-value-over.ts";
import { shapeOf } from "./object-shape.ts";
import { isNothingBeneath } from "./new-overlay-entry.ts";

/** Lays one file over the others, by meaning. */
export function* layFileOver(root: JoinedRoot, overlay: FileTree, telling: Telling): Steps<JoinedRoot> {
  const lists = new Map(root.lists);
  const others = [...root.others];
  let { global } = root;
  for (const member of membersOf(overlay, telling.report)) {
    const list = joinedListOf(member.name);
    if (list !== undefined && member.node.kind === "array") {
      const items = lists.get(list)?.items ?? [];
      const at = placeWithin(rootPlace(overlay.root), member.name, member.node);
      const areNew = isNothingBeneath(list, root);
      const laid = yield* layEntries({ list, items, areNew }, at, telling);
      lists.set(list, { member: lists.get(list)?.member ?? member, items: laid });
    } else if (list !== undefined && isEmptyNode(member.node)) continue;
    else if (member.name.toLowerCase() === "globalconfiguration") global = layGlobal(global, member);
    else others.push(member);
  }
  return { lists, global, others };
}

function layGlobal(before: JsonMember | undefined, after: JsonMember): JsonMember {
  if (before === undefined) return after;
  if (isAbsent(after.node)) return before;
  return { ...before, node: layOver(before.node, after.node, shapeOf(globalSection)) };
}
