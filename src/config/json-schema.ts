import { z } from "zod";
import { keyDescriptions } from "./key-descriptions.ts";
import { knownKeys, valueSchemas, type KeyKind, type SectionName } from "./known-keys.ts";
import { missingKeys } from "./missing-keys.ts";
import { zeroIsAbsent } from "./read-section.ts";

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>;

// What users keep for themselves, wherever it stands; "$schema" has its own description.
const usersOwn = String.raw`^([xX]-|\$(?!schema$))`;
const entrySections: ReadonlySet<SectionName> = new Set(["route", "host"]);
const notes: Readonly<Record<string, string>> = { required: ". Required", none: "", "see below": "" };
const oneTarget = ["ServiceName", "DownstreamHostAndPorts", "DownstreamHost"];

/** The JSON Schema (draft-07, which editors know best) of a configuration, keys in the spelling of the documentation. */
export function createJsonSchema(): JsonSchema {
  const sections = (Object.keys(knownKeys) as SectionName[]).filter((section) => section !== "root");
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Configuration of a waymark gateway",
    ...objectSchema("root", {
      $schema: { type: "string", description: "Where this schema is; editors read it, the gateway does not" },
    }),
    definitions: Object.fromEntries(sections.map((section) => [section, definitionOf(section)])),
  };
}

function definitionOf(section: SectionName): JsonSchema {
  const schema = objectSchema(section, {});
  return section === "route" ? { ...schema, anyOf: oneTarget.map((key) => ({ required: [key] })) } : schema;
}

function objectSchema(section: SectionName, more: JsonSchema): JsonSchema {
  const keys = Object.keys(knownKeys[section]);
  const required = keys.filter((key) => isRequired(section, key));
  return {
    type: "object",
    properties: {
      ...more,
      ...Object.fromEntries(keys.map((key) => [key, propertySchema(section, key)])),
      ...("Extensions" in knownKeys[section] ? {} : { Extensions: { description: "Yours; never looked at" } }),
    },
    // Not among the properties, so that editors explain them where they stand but do not offer them.
    patternProperties: { [usersOwn]: {}, ...Object.fromEntries(missingKeys(section).map(missingKeySchema)) },
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function missingKeySchema({ name, remark }: Readonly<{ name: string; remark: string }>): [string, JsonSchema] {
  return [`^${name}$`, { deprecated: true, description: remark }];
}

function propertySchema(section: SectionName, key: string): JsonSchema {
  const [meaning, otherwise, examples] = keyDescriptions[section][key]!;
  const form = formOf(section, key, knownKeys[section][key]!);
  const standard = defaultIn(otherwise);
  return {
    description: `${meaning}${notes[otherwise] ?? `. Default: ${otherwise}`}`,
    ...(standard === undefined ? {} : { default: standard }),
    // A value in the form of an entry must be there: null counts as absent.
    ...(isRequired(section, key) && entrySections.has(section) ? form : orNull(form)),
    ...(examples === undefined ? {} : { examples }),
  };
}

function formOf(section: SectionName, key: string, kind: KeyKind): JsonSchema {
  if (kind === "routes") return { type: "array", items: referenceTo("route") };
  if (kind === "anything") return {};
  if (kind === "metadata") return { type: "object" };
  if (kind === "headerTemplates") return { type: "object", additionalProperties: { type: "string" } };
  if (typeof kind === "object") {
    return "section" in kind
      ? { anyOf: [referenceTo(kind.section)] }
      : { type: "array", items: referenceTo(kind.sections) };
  }
  const form = without("$schema", z.toJSONSchema(valueSchemas[section][key]!, { target: "draft-7", io: "input" }));
  if (key.endsWith("PathTemplate")) return { ...form, pattern: String.raw`^(/|\$\{)` };
  return zeroIsAbsent.has(key) ? { ...without("exclusiveMinimum", form), minimum: 0 } : form;
}

function without(keyword: string, schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword));
}

/** What tools write for a key that nobody set. */
function orNull(form: JsonSchema): JsonSchema {
  const { type, anyOf } = form as { type?: string | string[]; anyOf?: JsonSchema[] };
  return {
    ...form,
    ...(type === undefined ? {} : { type: [type, "null"].flat() }),
    ...(anyOf === undefined ? {} : { anyOf: [...anyOf, { type: "null" }] }),
  };
}

function referenceTo(section: SectionName): JsonSchema {
  return { $ref: `#/definitions/${section}` };
}

/** Whether an object lacks something without the key; the rest of the rules is beyond a JSON Schema. */
function isRequired(section: SectionName, key: string): boolean {
  return valueSchemas[section][key]?.safeParse(undefined).success === false;
}

/** The value that a description names as the default, if it is always the same. */
function defaultIn(otherwise: string): unknown {
  const code = /^`([^`]+)`$/.exec(otherwise)?.[1] ?? (/^\d+$/.test(otherwise) ? otherwise : undefined);
  if (code === undefined) return undefined;
  try {
    return JSON.parse(code);
  } catch {
    return code;
  }
}
