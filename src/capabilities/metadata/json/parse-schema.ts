import { type $ZodIssue, type $ZodType, safeParse } from "zod/v4/core";
import { GatewayError } from "../../../errors.ts";
import { alignNames } from "./member-names.ts";
import type { JsonReading } from "./json-options.ts";
import { Misfit } from "../metadata-error.ts";
import { readJson, readJsonInOrder } from "./parse-json.ts";

/** Reads JSON text through a Zod (or Zod Mini) schema, as .NET deserialises with the web defaults. Every call gives a new value. */
export function parseSchema(text: string, schema: $ZodType, reading: JsonReading): unknown {
  const tree = readAlignedJson(text, schema, reading);
  const first = validate(tree, schema);
  if (first.success) return first.data;
  const converted = reading.numbersFromStrings ? convertQuotedNumbers(tree, first.error.issues) : undefined;
  if (converted === undefined) throw refusal(first.error);
  const second = validate(converted, schema);
  if (!second.success) throw refusal(second.error);
  return second.data;
}

/** Whether something is a schema of Zod 4, of whatever copy or flavour. */
export function isSchema(type: unknown): type is $ZodType {
  return typeof type === "object" && type !== null && "_zod" in type;
}

function readAlignedJson(text: string, schema: $ZodType, reading: JsonReading): unknown {
  const tree = readJson(text, reading);
  if (!reading.propertyNameCaseInsensitive) return tree;
  const aligned = alignNames(tree, schema);
  return aligned.hasCollision ? alignNames(readJsonInOrder(text, reading), schema).value : aligned.value;
}

function validate(tree: unknown, schema: $ZodType): ReturnType<typeof safeParse> {
  try {
    return safeParse(schema, tree);
  } catch (cause) {
    if (cause instanceof Error && cause.constructor.name === "$ZodAsyncError") throw asynchronous(cause);
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new Misfit("format", `the schema threw ${JSON.stringify(detail)}`, cause);
  }
}

function asynchronous(cause: Error): GatewayError {
  return new GatewayError(
    "handler-misuse",
    "A schema given to getMetadata is asynchronous, but metadata are read synchronously: leave out its async refinements and transforms.",
    { cause },
  );
}

const mostIssues = 5;

function refusal(error: Error & { issues: readonly $ZodIssue[] }): Misfit {
  const issues = error.issues.slice(0, mostIssues).map(describeIssue);
  const more = error.issues.length - issues.length;
  return new Misfit("format", issues.join("; ") + (more > 0 ? `; and ${more} more` : ""), error);
}

function describeIssue({ path, message }: $ZodIssue): string {
  return path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`;
}

type Path = readonly PropertyKey[];

/** The forms in which .NET reads a number in quotes: no blanks, no groups, no other radix. */
const quotedNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Turns the texts of a tree that a schema refused because it wanted numbers there into numbers, in place.
 * Gives the tree (a new one where the tree itself is such a text), or `undefined` where there was nothing to turn.
 */
function convertQuotedNumbers(tree: unknown, issues: readonly $ZodIssue[]): unknown {
  const holder = { tree };
  const converted = pathsOfWantedNumbers(issues, []).filter((path) => convertAt(holder, ["tree", ...path]));
  return converted.length === 0 ? undefined : holder.tree;
}

/** Paths in the order of the issues; those of a union's alternatives are relative to the union. */
function pathsOfWantedNumbers(issues: readonly $ZodIssue[], base: Path): Path[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path];
    if (issue.code === "invalid_union") {
      return issue.errors.flatMap((alternative) => pathsOfWantedNumbers(alternative, path));
    }
    return wantsNumber(issue) ? [path] : [];
  });
}

function wantsNumber(issue: $ZodIssue): boolean {
  if (issue.code === "invalid_type") return issue.expected === "number" || issue.expected === "int";
  return issue.code === "invalid_value" && issue.values.some((value) => typeof value === "number");
}

function convertAt(root: object, path: Path): boolean {
  const key = path.at(-1)!;
  const parent = path.slice(0, -1).reduce<unknown>(ownMember, root);
  const text = ownMember(parent, key);
  if (typeof text !== "string" || !quotedNumber.test(text)) return false;
  return Reflect.set(parent as object, key, Number(text));
}

function ownMember(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<PropertyKey, unknown>)[key];
}
