import { isObject, type JsonObject } from "../../json/json-object.ts";
import type { JsonFault } from "../../json/find-blocks.ts";
import { parseAllDigits } from "../../json/parse-all-digits.ts";
import { parseInSlices } from "../../json/parse-in-slices.ts";
import { runInSlices } from "../../time-slices.ts";
import { mostMembers } from "../shapes/document-budgets.ts";
import type { DocumentFault } from "./document-fault.ts";
import { parseYaml } from "./parse-yaml.ts";

/** The versions of OpenAPI that are understood. */
export type OpenApiVersion = "2.0" | "3.0" | "3.1";

/** A document as a service has written it. */
export type OpenApiDocument = Readonly<{ version: OpenApiVersion; root: JsonObject }>;

// Deeper than any schema that somebody writes; what is deeper would exhaust the stack.
const mostDepth = 200;
// Of 8 MiB, other documents have fewer.
const mostValues = 500_000;

const faults: Readonly<Record<JsonFault, string>> = {
  // The text itself may be anything that stands at that address.
  form: "it begins like JSON, and is none",
  depth: `it is nested deeper than ${mostDepth} levels`,
  members: `a list or object in it has more than ${mostMembers} members`,
  values: `it has more than ${mostValues} values`,
};

/** The JSON of a document that is JSON or YAML, whatever its media type says. Only YAML that nobody writes begins with a brace. */
export async function readJson(bytes: Uint8Array): Promise<Readonly<{ json: string }> | DocumentFault> {
  const text = new TextDecoder().decode(bytes);
  return /^\s*[{[]/.test(text) ? { json: text } : parseYaml(text);
}

/** Reads a document from its JSON. */
export async function readDocument(json: string): Promise<OpenApiDocument | DocumentFault> {
  const bounds = { depth: mostDepth, members: mostMembers, values: mostValues };
  const root = await runInSlices(parseInSlices(json, { ...bounds, parse: parseAllDigits }));
  if ("fault" in root) return { fault: faults[root.fault] };
  if (!isObject(root.value)) return { fault: "it is no object" };
  const version = versionOf(root.value);
  return version === undefined
    ? { fault: 'it says neither "swagger": "2.0" nor "openapi": "3.0" or "3.1"' }
    : { version, root: root.value };
}

function versionOf({ swagger, openapi }: JsonObject): OpenApiVersion | undefined {
  if (swagger === "2.0" || swagger === 2) return "2.0";
  if (typeof openapi !== "string" && typeof openapi !== "number") return undefined;
  const [, minor] = /^3\.([01])(?:\.|$)/.exec(String(openapi)) ?? [];
  return minor === undefined ? undefined : `3.${minor as "0" | "1"}`;
}
