import { parseAllDigits } from "../json/parse-all-digits.ts";
import { holdsDotSegment } from "../urls/dot-segments.ts";
import { createJsonCheck } from "./check-json.ts";
import type { FindValues } from "./json-path.ts";

const mostLevels = 100;
const longestValue = 256;

/** Reads the document in which values are looked for; undefined where it is none, or is nested too deeply. */
export function readDocument(bytes: Buffer): Readonly<{ document: unknown }> | undefined {
  const check = createJsonCheck(mostLevels);
  if (!check.take(bytes) || !check.isWhole()) return undefined;
  return { document: parseAllDigits(bytes.toString()) };
}

/** The texts for a placeholder that a document holds, each different one once; what cannot be one is left out. */
export function findTexts(document: unknown, find: FindValues): readonly string[] {
  const texts = find(document).flatMap((value) => (isScalar(value) ? [String(value)] : []));
  return [...new Set(texts)].filter((text) => text !== "" && text.length <= longestValue && !holdsDotSegment(text));
}

function isScalar(value: unknown): value is string | number | bigint | boolean {
  // A number that is too great is infinite, and no value that anybody wrote.
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" && value !== undefined;
}
