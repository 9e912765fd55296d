import { isObject, type JsonObject } from "../../json/json-object.ts";
import { isWithinDepth } from "../../json/is-within-depth.ts";
import { parseAllDigits } from "../../json/parse-all-digits.ts";
import { type DocumentFault, isFault } from "./document-fault.ts";
import { parseYaml } from "./parse-yaml.ts";

/** The versions of OpenAPI that are understood. */
export type OpenApiVersion = "2.0" | "3.0" | "3.1";

/** A document as a service has written it. */
export type OpenApiDocument = Readonly<{ version: OpenApiVersion; root: JsonObject }>;

// Deeper than any schema that somebody writes; what is deeper would exhaust the stack.
const mostDepth = 200;

/** Reads a document, JSON or YAML, whatever its media type says. */
export async function readDocument(bytes: Uint8Array): Promise<OpenApiDocument | DocumentFault> {
  const root = await parse(new TextDecoder().decode(bytes));
  if (isFault(root)) return root;
  if (!isObject(root.value)) return { fault: "it is no object" };
  if (!isWithinDepth(root.value, mostDepth)) return { fault: `it is nested deeper than ${mostDepth} levels` };
  const version = versionOf(root.value);
  return version === undefined
    ? { fault: 'it says neither "swagger": "2.0" nor "openapi": "3.0" or "3.1"' }
    : { version, root: root.value };
}

type Parsed = Readonly<{ value: unknown }> | DocumentFault;

/** Only JSON begins with a brace, but for YAML that nobody writes. */
async function parse(text: string): Promise<Parsed> {
  if (!/^\s*[{[]/.test(text)) {
    const read = await parseYaml(text);
    return isFault(read) ? read : parseJson(read.json);
  }
  return parseJson(text);
}

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
