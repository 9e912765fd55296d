import {
  describeNode,
  isEmptyNode,
  type JsonArray,
  type JsonMember,
  type JsonNode,
  type JsonObject,
} from "../../json/json-node.ts";
import { placeWithin, rootPlace } from "../../json/place.ts";
import { oldKeys } from "../../schema/old-keys.ts";
import type { Report } from "../problems/problem-list.ts";
import { reportRepeat } from "../read/report-repeats.ts";
import { type JoinedList, joinedListOf } from "./joined-lists.ts";
import { type FirstGlobal, inOrderOfGlobals, reportSecondGlobal } from "./global-in-one-file.ts";

/** A file whose text has become a tree. */
export type FileTree = Readonly<{ path: string; root: JsonNode }>;

/** The top level of some files, taken together; what belongs to no list and is not `GlobalConfiguration` stays as it is. */
export type JoinedRoot = Readonly<{
  lists: ReadonlyMap<JoinedList, Readonly<{ member: JsonMember; items: readonly JsonNode[] }>>;
  global: JsonMember | undefined;
  others: readonly JsonMember[];
}>;

type Joining = {
  lists: Map<JoinedList, { member: JsonMember; items: JsonNode[] }>;
  global: FirstGlobal | undefined;
  others: JsonMember[];
};

/** Puts the parts of a configuration together: lists one after the other, `GlobalConfiguration` from one file. */
export function joinParts(parts: readonly FileTree[], report: Report): JoinedRoot {
  const joining: Joining = { lists: new Map(), global: undefined, others: [] };
  for (const part of inOrderOfGlobals(parts)) {
    for (const member of membersOf(part, report)) take(part, member, { joining, report });
  }
  const lists = new Map(
    [...joining.lists].map(([list, { member, items }]) => [list, { member, items: inOrder(items) }]),
  );
  return { ...joining, lists, global: joining.global?.member };
}

function inOrder(items: readonly JsonNode[]): readonly JsonNode[] {
  return items.toSorted((one, other) => one.span.start - other.span.start);
}

/** The members of a file's top level; what else a file may hold, and names that it repeats, are reported. */
export function membersOf({ root }: FileTree, report: Report): readonly JsonMember[] {
  const place = rootPlace(root);
  if (root.kind !== "object") {
    report("wrong-type", place, `expected an object, found ${describeNode(root)}`);
    return [];
  }
  const seen = new Map<string, string>();
  for (const { name, nameSpan, node } of root.members) {
    const list = joinedListOf(name);
    const meant = (list?.name ?? name).toLowerCase();
    const first = seen.get(meant);
    const at = { ...placeWithin(place, name, node), span: nameSpan };
    if (first === undefined) seen.set(meant, name);
    else if (list !== undefined && first.toLowerCase() !== name.toLowerCase()) reportBoth(list, { report, at });
    else reportRepeat(at, first, { report });
    if (list !== undefined && name.toLowerCase() === list.oldName?.toLowerCase()) reportOld(name, { report, at });
  }
  return root.members;
}

type Reported = Readonly<{ report: Report; at: ReturnType<typeof placeWithin> }>;

function reportBoth({ name, oldName }: JoinedList, { report, at }: Reported): void {
  report(
    "key-repeated",
    at,
    `${JSON.stringify(oldName)} is the old name of ${JSON.stringify(name)}, and both are written: keep one`,
  );
}

function reportOld(name: string, { report, at }: Reported): void {
  const old = (oldKeys.root ?? []).find((key) => key.name.toLowerCase() === name.toLowerCase());
  if (old !== undefined) report("key-old", at, `${JSON.stringify(name)} is an old spelling: ${old.instead}`);
}

function take(
  part: FileTree,
  member: JsonMember,
  { joining, report }: Readonly<{ joining: Joining; report: Report }>,
): void {
  const { name, node } = member;
  const list = joinedListOf(name);
  if (list !== undefined && (node.kind === "array" || isEmptyNode(node))) addItems(joining, list, member);
  else if (name.toLowerCase() !== "globalconfiguration" || isEmptyNode(node)) joining.others.push(member);
  else if (joining.global === undefined) joining.global = { path: part.path, member };
  else if (joining.global.path === part.path) joining.others.push(member);
  else reportSecondGlobal(part.root, member, joining.global, report);
}

function addItems({ lists }: Joining, list: JoinedList, member: JsonMember): void {
  const items = member.node.kind === "array" ? member.node.items : [];
  const known = lists.get(list);
  if (known === undefined) lists.set(list, { member, items: [...items] });
  else for (const item of items) known.items.push(item); // Too many for the arguments of one call.
}

/** One tree for all files, as if it had been read from one. */
export function treeOf({ lists, global, others }: JoinedRoot, span: JsonObject["span"]): JsonObject {
  const listed = [...lists].map(([{ name }, { member, items }]): JsonMember => {
    const node: JsonArray = { kind: "array", items, span: member.node.span };
    return { name, nameSpan: member.nameSpan, node };
  });
  return {
    kind: "object",
    members: [...listed, ...(global === undefined ? [] : [global]), ...others],
    span,
    isJoined: true,
  };
}
