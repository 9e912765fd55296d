import { basename } from "node:path";
import type { JsonMember, JsonNode } from "../../json/json-node.ts";
import { placeWithin, rootPlace } from "../../json/place.ts";
import type { Report } from "../problems/problem-list.ts";
import { isContained } from "./is-contained.ts";

/** The `GlobalConfiguration` that was found first, and the file in which it stands. */
export type FirstGlobal = Readonly<{ path: string; member: JsonMember }>;

/** The file that is called global comes first: what another part says beside it is the mistake. */
export function inOrderOfGlobals<File extends Readonly<{ path: string }>>(parts: readonly File[]): readonly File[] {
  const globals = parts.filter(({ path }) => isGlobalFile(path));
  return [...globals, ...parts.filter((part) => !globals.includes(part))];
}

function isGlobalFile(path: string): boolean {
  return /\.global\.json$/i.test(basename(path));
}

/** Reports a second `GlobalConfiguration`, unless it says nothing that the first one does not say as well. */
export function reportSecondGlobal(
  root: JsonNode,
  { name, nameSpan, node }: JsonMember,
  first: FirstGlobal,
  report: Report,
): void {
  if (isContained(node, first.member.node)) return;
  const at = { ...placeWithin(rootPlace(root), name, node), span: nameSpan };
  report(
    "global-repeated",
    at,
    `"GlobalConfiguration" stands here and in ${JSON.stringify(first.path)}: what holds for all routes stands in one file only; put this there`,
  );
}
