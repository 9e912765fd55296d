import { rootSection } from "../sections.ts";
import type { Section } from "../../schema/key.ts";

/** A list of the top level whose items come from all files, one after the other. */
export type JoinedList = Readonly<{
  name: string;
  oldName: string | undefined;
  /** What an item is called in messages. */
  item: string;
  /** What is known of its items; undefined for a list that is not read here. */
  section: Section | undefined;
  /** Whether its items take requests of clients. */
  isOfRequests: boolean;
}>;

/** All of them. */
export const joinedLists: readonly JoinedList[] = [
  joinedList("Routes", "ReRoutes", "route"),
  joinedList("DynamicRoutes", "DynamicReRoutes", "dynamic route"),
  joinedList("Aggregates", undefined, "aggregate"),
  joinedList("SwaggerEndPoints", undefined, 'entry of "SwaggerEndPoints"'),
];

function joinedList(name: string, oldName: string | undefined, item: string): JoinedList {
  const keys: Section["keys"] = rootSection.keys;
  const key = Object.hasOwn(keys, name) ? keys[name]! : undefined;
  const section = key !== undefined && "section" in key ? key.section : undefined;
  return { name, oldName, item, section, isOfRequests: name !== "SwaggerEndPoints" };
}

/** The list that a member of the top level is, in whatever spelling. */
export function joinedListOf(name: string): JoinedList | undefined {
  const lower = name.toLowerCase();
  return joinedLists.find((list) => list.name.toLowerCase() === lower || list.oldName?.toLowerCase() === lower);
}
