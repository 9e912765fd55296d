import type { z } from "zod";
import { closestName } from "../../closest-name.ts";
import { describeNode, type JsonNode, type JsonScalar } from "../../json/json-node.ts";
import { placeWithin, type Place } from "../../json/place.ts";
import type { Reading } from "./reading.ts";
import type { IssueDetails } from "../../schema/values.ts";

/** Reads one scalar; undefined, and a problem, where it is not what the schema wants. */
export function readScalar(schema: z.ZodType, place: Place, reading: Reading): unknown {
  return parseOr(schema, textOf(place.node), reading, () => place);
}

/** Reads an enumeration word; blanks around it are accepted, with a warning. */
export function readWord(schema: z.ZodType, place: Place, reading: Reading): unknown {
  const word = readScalar(schema, place, reading);
  const { node } = place;
  if (word !== undefined && isScalar(node) && node.text !== node.text.trim()) {
    reading.report("word-blanks", place, `read ${describeNode(node)} without the blanks around it: remove them`);
  }
  return word;
}

/**
 * Reads a list of scalars; `keepsEmpty` where a list without entries differs from none. An entry that is null is passed
 * over; an empty text is an entry: left out, it would make a list that a variable has emptied hold for everything.
 */
export function readList(schema: z.ZodType, place: Place, reading: Reading, keepsEmpty: boolean): unknown {
  const { node } = place;
  if (node.kind !== "array") {
    const isEmptyText = node.kind === "string" && node.text === "";
    return parseOr(schema, isEmptyText ? [] : textOf(node), reading, () => place);
  }
  const items = node.items.filter(({ kind }) => kind !== "null");
  if (items.length === 0 && !keepsEmpty) return undefined;
  return parseOr(schema, items.map(textOf), reading, (index) => {
    const item = items[index ?? -1];
    return item === undefined ? place : placeWithin(place, node.items.indexOf(item), item);
  });
}

/** What the schemas see of a value: the text of a scalar, and something that no schema takes for the rest. */
function textOf(node: JsonNode): string | null {
  return isScalar(node) ? node.text : null;
}

function isScalar(node: JsonNode): node is JsonScalar {
  return node.kind !== "object" && node.kind !== "array" && node.kind !== "null";
}

function parseOr(
  schema: z.ZodType,
  written: unknown,
  reading: Reading,
  placeOf: (index: number | undefined) => Place,
): unknown {
  const parsed = schema.safeParse(written);
  if (parsed.success) return Object.freeze(parsed.data);
  for (const issue of parsed.error.issues) {
    const place = placeOf(typeof issue.path[0] === "number" ? issue.path[0] : undefined);
    const details = issue.code === "custom" ? (issue.params as IssueDetails | undefined) : undefined;
    const closest = closestName(textOf(place.node) ?? "", details?.words ?? []);
    const hint = closest === undefined ? "" : ` – did you mean ${JSON.stringify(closest)}?`;
    reading.report(
      details?.code ?? "wrong-type",
      place,
      `expected ${issue.message}, found ${describeNode(place.node)}${hint}`,
    );
  }
  return undefined;
}
