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
  const list = { ...place, node: asList(place, reading) };
  const methods = readList(schema, list, reading, false);
  if (list.node.kind !== "array") return methods;
  for (const [index, item] of list.node.items.entries()) {
    const at = list.node === place.node ? placeWithin(place, index, item) : place;
    warnOfUnseen(at, item, reading);
  }
  return methods;
}

function asList({ node, ...place }: Place, reading: Reading): JsonNode {
  if (node.kind !== "string") return node;
  const words = node.text.split(/[\s,;|]+/).filter((word) => word !== "");
  const items = words.map((text): JsonNode => ({ kind: "string", text, span: node.span }));
  const read = `read ${describeNode(node)} as ${JSON.stringify(words.map((word) => word.toUpperCase()))}`;
  const reason = "Ocelot takes a text for an empty list, and so for every method";
  reading.report("list-as-text", { ...place, node }, `${read}, though ${reason}: write a list`);
  return { kind: "array", items, span: node.span };
}

function warnOfUnseen(place: Place, item: JsonNode, reading: Reading): void {
  if (!("text" in item) || isEmptyNode(item) || isKnownMethod(item.text.trim().toUpperCase())) return;
  const closest = closestName(item.text, METHODS);
  const hint = closest === undefined ? "" : ` – did you mean ${JSON.stringify(closest)}?`;
  const found = `${describeNode(item)} is no method of HTTP`;
  reading.report("method-never-seen", place, `${found}, so no request of this method is ever seen${hint}`);
}
