import { parseAllDigits } from "../json/parse-all-digits.ts";
import { type ParsedJson, parseInSlices } from "../json/parse-in-slices.ts";
import { runInSlices, type Steps } from "../time-slices.ts";
import { holdsDotSegment } from "../urls/dot-segments.ts";
import { createJsonCheck } from "./check-json.ts";
import type { FindValues } from "./json-path.ts";
import { createLongAnswerTurns } from "./turns-of-long-answers.ts";

const mostLevels = 100;
const bytesOfStep = 16_384;
const valuesOfStep = 64;
const longestValue = 256;
const longDocument = 16_384;

/** The texts that each of several paths finds in a document, each different one once. */
export type FoundTexts = readonly (readonly string[])[];

/** Looks for texts in a document; undefined where it is none, or is nested too deeply. */
export type FindTexts = (bytes: Buffer, finds: readonly FindValues[]) => Promise<FoundTexts | undefined>;

/** Prepares the look into the answers of one part. */
export function createFindTexts(): FindTexts {
  const inTurn = createLongAnswerTurns();

  return function findTexts(bytes, finds) {
    // One piece of work, so that what it makes of the document is free as soon as it may be.
    const look = (): Promise<FoundTexts | undefined> => runInSlices(lookInto(bytes, finds));
    return bytes.length > longDocument ? inTurn(bytes.length, look) : look();
  };
}

function* lookInto(bytes: Buffer, finds: readonly FindValues[]): Steps<FoundTexts | undefined> {
  const parsed = yield* parse(bytes);
  if (parsed === undefined || "fault" in parsed) return undefined;
  const texts: (readonly string[])[] = [];
  for (const find of finds) texts.push(yield* textsOf(parsed.value, find));
  return texts;
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
