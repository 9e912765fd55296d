import { METHODS } from "node:http";
import type { z } from "zod";
import { closestName } from "../../closest-name.ts";
import { describeNode, isEmptyNode, type JsonNode } from "../../json/json-node.ts";
import { placeWithin, type Place } from "../../json/place.ts";
import { readList } from "./read-value.ts";
import type { Reading } from "./reading.ts";
import { isKnownMethod } from "../../schema/values.ts";

/** Reads the methods of a route: a list, or as people write it, a text. One that no request has only warns. */
export function readMethods(schema: z.ZodType, place: Place, reading: Reading): unknown {
  const list = asList(place, reading);
  const methods = readList(schema, list, reading, false);
  if (list.node.kind === "array") warnOfUnseen(list.node.items, place, reading);
  return methods;
}

function asList(place: Place, reading: Reading): Place {
  const { node } = place;
  if (node.kind !== "string") return place;
  const words = node.text.split(/[\s,;|]+/).filter((word) => word !== "");
  const items = words.map((text): JsonNode => ({ kind: "string", text, span: node.span }));
  const read = `read ${describeNode(node)} as ${JSON.stringify(words.map((word) => word.toUpperCase()))}`;
  const reason = "Ocelot takes a text for an empty list, and so for every method";
  reading.report("list-as-text", place, `${read}, though ${reason}: write a list`);
  return { ...place, node: { kind: "array", items, span: node.span } };
}

function warnOfUnseen(items: readonly JsonNode[], place: Place, reading: Reading): void {
  for (const [index, item] of items.entries()) {
    if (!("text" in item) || isEmptyNode(item) || isKnownMethod(item.text.trim().toUpperCase())) continue;
    const at = place.node.kind === "array" ? placeWithin(place, index, item) : place;
    const closest = closestName(item.text, METHODS);
    const hint = closest === undefined ? "" : ` – did you mean ${JSON.stringify(closest)}?`;
    const found = `${describeNode(item)} is no method of HTTP`;
    reading.report("method-never-seen", at, `${found}, so no request of this method is ever seen${hint}`);
  }
}
