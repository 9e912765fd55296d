import type { JsonNode } from "../../json/json-node.ts";
import { placesBelow, type Place } from "../../json/place.ts";
import type { Reading } from "./reading.ts";

/** What is said of a text that held nothing but variables without a value, and what helps. */
export const emptiedByVariable = {
  found: "a variable made this empty",
  remedy: "give the variable a value, or remove this",
} as const;

/** Refuses what a variable made empty where something restricts who may do what: absent, it would restrict nobody. */
export function reportEmptied(name: string, place: Place, reading: Reading): boolean {
  if (!holdsEmptied(place.node)) return false;
  const { found, remedy } = emptiedByVariable;
  const emptied = [place, ...placesBelow(place)].filter(({ node }) => "isEmptied" in node);
  for (const part of emptied) {
    const where = part === place ? `and "${name}" guards something` : `within "${name}", which guards something`;
    reading.report("lock-value-empty", part, `${found}, ${where}: ${remedy}`);
  }
  return true;
}

function holdsEmptied(node: JsonNode): boolean {
  if (node.kind === "array") return node.items.some(holdsEmptied);
  return node.kind === "object" ? node.members.some((member) => holdsEmptied(member.node)) : "isEmptied" in node;
}
