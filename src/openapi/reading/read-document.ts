import { isObject, type JsonObject } from "../../json/json-object.ts";
import { isWithinDepth } from "../../json/is-within-depth.ts";
import { parseAllDigits } from "../../json/parse-all-digits.ts";
import { runInSlices } from "../../time-slices.ts";
import { type DocumentFault, isFault } from "./document-fault.ts";
import { parseYaml } from "./parse-yaml.ts";
import { hasFewValues } from "./weigh-json.ts";

/** The versions of OpenAPI that are understood. */
export type OpenApiVersion = "2.0" | "3.0" | "3.1";

/** A document as a service has written it. */
export type OpenApiDocument = Readonly<{ version: OpenApiVersion; root: JsonObject }>;

// Deeper than any schema that somebody writes; what is deeper would exhaust the stack.
const mostDepth = 200;

// Parsing them takes a tenth of a second, in which no request is served; of 8 MiB, other documents have fewer.
const mostValues = 500_000;

/** The JSON of a document that is JSON or YAML, whatever its media type says. Only YAML that nobody writes begins with a brace. */
export async function readJson(bytes: Uint8Array): Promise<Readonly<{ json: string }> | DocumentFault> {
  const text = new TextDecoder().decode(bytes);
  return /^\s*[{[]/.test(text) ? { json: text } : parseYaml(text);
}

/** Reads a document from its JSON. */
export async function readDocument(json: string): Promise<OpenApiDocument | DocumentFault> {
  const isSmall = await runInSlices(hasFewValues(json, mostValues));
  if (!isSmall) return { fault: `it has more than ${mostValues} values` };
  const root = parseJson(json);
  if (isFault(root)) return root;
  if (!isObject(root.value)) return { fault: "it is no object" };
  if (!isWithinDepth(root.value, mostDepth)) return { fault: `it is nested deeper than ${mostDepth} levels` };
  const version = versionOf(root.value);
  return version === undefined
    ? { fault: 'it says neither "swagger": "2.0" nor "openapi": "3.0" or "3.1"' }
    : { version, root: root.value };
}

type Parsed = Readonly<{ value: unknown }> | DocumentFault;

function parseJson(text: string): Parsed {
  try {
    return { value: parseAllDigits(text) };
  } catch (error) {
    // The parser quotes the text, which may be anything that stands at that address.
    if (error instanceof SyntaxError) return { fault: "it begins like JSON, and is none" };
    throw error;
  }
}

function versionOf({ swagger, openapi }: JsonObject): OpenApiVersion | undefined {
  if (String(swagger) === "2.0" || swagger === 2) return "2.0";
  const [, minor] = /^3\.([01])(?:\.|$)/.exec(String(openapi)) ?? [];
  return minor === undefined ? undefined : `3.${minor as "0" | "1"}`;
}
