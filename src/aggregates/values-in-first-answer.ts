import { parseAllDigits } from "../json/parse-all-digits.ts";
import { type ParsedJson, parseInSlices } from "../json/parse-in-slices.ts";
import { runInSlices, type Steps } from "../time-slices.ts";
import { holdsDotSegment } from "../urls/dot-segments.ts";
import { createJsonCheck } from "./check-json.ts";
import type { FindValues } from "./json-path.ts";

const mostLevels = 100;
const bytesOfStep = 16_384;
const valuesOfStep = 64;
const longestValue = 256;

/** Reads the document in which values are looked for; undefined where it is none, or is nested too deeply. */
export async function readDocument(bytes: Buffer): Promise<Readonly<{ document: unknown }> | undefined> {
  const parsed = await runInSlices(parse(bytes));
  return parsed === undefined || "fault" in parsed ? undefined : { document: parsed.value };
}

function* parse(bytes: Buffer): Steps<ParsedJson | undefined> {
  const check = createJsonCheck(mostLevels);
  for (let from = 0; from < bytes.length; from += bytesOfStep) {
    yield;
    if (!check.take(bytes.subarray(from, from + bytesOfStep))) return undefined;
  }
  if (!check.isWhole()) return undefined;
  return yield* parseInSlices(bytes.toString(), { depth: mostLevels, parse: parseAllDigits });
}

/** The texts for a placeholder that a document holds, each different one once; what cannot be one is left out. */
export async function findTexts(document: unknown, find: FindValues): Promise<readonly string[]> {
  return runInSlices(textsOf(document, find));
}

function* textsOf(document: unknown, find: FindValues): Steps<readonly string[]> {
  const texts = new Set<string>();
  for (const [count, value] of (yield* find(document)).entries()) {
    if (count % valuesOfStep === 0) yield;
    const text = isScalar(value) ? String(value) : "";
    if (text !== "" && text.length <= longestValue && !holdsDotSegment(text)) texts.add(text);
  }
  return [...texts];
}

function isScalar(value: unknown): value is string | number | bigint | boolean {
  // A number that is too great is infinite, and no value that anybody wrote.
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" && value !== undefined;
}
