import { safeParse, type $ZodIssue, type $ZodType } from "zod/v4/core";
import { GatewayError } from "../errors.ts";
import { alignNames } from "./align-names.ts";
import type { JsonReading } from "./json-options.ts";
import { Misfit } from "./misfit.ts";
import { readJson } from "./parse-json.ts";
import { convertQuotedNumbers } from "./quoted-numbers.ts";
import { readJsonInOrder } from "./read-json-in-order.ts";

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
