import { z } from "zod";
import type { Key, Section } from "../schema/key.ts";
import { keysWithoutEffect } from "./ocelot/keys-without-effect.ts";
import { joinedLists } from "./files/joined-lists.ts";
import { entryForm } from "../schema/value-forms.ts";
import { allSections, rootSection, routeSection } from "./sections.ts";

/** A JSON Schema, or a part of one. */
type JsonSchema = Readonly<Record<string, unknown>>;

// What users keep for themselves, wherever it stands; "$schema" has its own description.
const usersOwn = String.raw`^([xX]-|\$(?!schema$)|//)`;
// A value in an entry of a list must be there: null counts as absent.
const entrySections: ReadonlySet<string> = new Set(["route", "host"]);
const notes: Readonly<Record<string, string>> = { required: ". Required", none: "", "see below": "" };
const oneTarget = ["ServiceName", "DownstreamHostAndPorts", "DownstreamHost"];

/** The JSON Schema (draft-07, which editors know best) of a configuration, keys in the spelling of the documentation. */
export function createJsonSchema(): JsonSchema {
  return schemaOf(definitionOf);
}

/** The same for the file of an environment, which is laid over others: its entries say only what they change. */
export function createOverlaySchema(): JsonSchema {
  return schemaOf(overlayDefinitionOf);
}

function schemaOf(definitionOf: (section: Section) => JsonSchema): JsonSchema {
  const inner = allSections.filter((section) => section !== rootSection);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Configuration of a waymark gateway",
    ...objectSchema(rootSection, {
      $schema: { type: "string", description: "Where this schema is; editors read it, the gateway does not" },
    }),
    definitions: Object.fromEntries(inner.map((section) => [section.name, definitionOf(section)])),
  };
}

function definitionOf(section: Section): JsonSchema {
  const schema = objectSchema(section, {});
  return section === routeSection ? { ...schema, anyOf: oneTarget.map((key) => ({ required: [key] })) } : schema;
}

function overlayDefinitionOf(section: Section): JsonSchema {
  const isEntry = joinedLists.some((list) => list.section === section);
  const schema = objectSchema(section, isEntry ? { New: newForm } : {});
  // Lists of hosts are replaced whole, and so have whole hosts.
  return section.name === "host" ? schema : without("required", schema);
}

const newForm: JsonSchema = {
  type: "boolean",
  description: "Whether this is added, and not laid over an entry of the files beneath. Default: false",
};

function objectSchema({ name, keys }: Section, more: JsonSchema): JsonSchema {
  const required = Object.keys(keys).filter((key) => keys[key]!.isRequired);
  const isEntry = entrySections.has(name);
  return {
    type: "object",
    properties: {
      ...more,
      ...Object.fromEntries(Object.entries(keys).map(([key, facts]) => [key, propertySchema(key, facts, isEntry)])),
      ...("Extensions" in keys ? {} : { Extensions: { description: "Yours; never looked at" } }),
    },
    // Not among the properties, so that editors explain them where they stand but do not offer them.
    patternProperties: { [usersOwn]: {}, ...Object.fromEntries(keysWithoutEffect(name).map(missingKeySchema)) },
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function missingKeySchema({ name, remark }: Readonly<{ name: string; remark: string }>): [string, JsonSchema] {
  return [`^${name}$`, { deprecated: true, description: remark }];
}

function propertySchema(name: string, key: Key, isEntry: boolean): JsonSchema {
  const { means, otherwise, examples, isRequired = false } = key;
  const form = formOf(name, key);
  const standard = defaultIn(otherwise);
  return {
    description: `${withoutLinks(means)}${notes[otherwise] ?? `. Default: ${otherwise}`}`,
    ...(standard === undefined ? {} : { default: standard }),
    ...(isRequired && isEntry ? form : orNull(form)),
    ...(examples === undefined ? {} : { examples }),
  };
}

function formOf(name: string, key: Key): JsonSchema {
  if ("section" in key) return referenceForms[key.kind](`#/definitions/${key.section.name}`);
  if (!("schema" in key)) return freeForms[key.kind];
  const form = ofEntries(without("$schema", z.toJSONSchema(key.schema, { target: "draft-7", io: "input" })));
  if (name.endsWith("PathTemplate")) return { ...form, pattern: String.raw`^(/|\$\{)` };
  return key.absent === "zero" ? { ...without("exclusiveMinimum", form), minimum: 0 } : form;
}

function ofEntries(form: JsonSchema): JsonSchema {
  return "items" in form ? { ...form, items: entryForm(form.items as JsonSchema) } : form;
}

const scalarTypes = ["string", "number", "boolean"] as const;

const freeForms = {
  anything: {},
  exact: {},
  ignored: {},
  metadata: { type: "object" },
  headerTemplates: { type: "object", additionalProperties: { type: "string" } },
  claimExpressions: { type: "object", additionalProperties: { type: ["string", "null"] } },
  claimValues: {
    type: "object",
    additionalProperties: { type: ["string", "number", "boolean", "array"], items: { type: scalarTypes } },
  },
  headerTransforms: { type: "object", additionalProperties: headerTransformForm() },
} as const;

function headerTransformForm(): JsonSchema {
  const text = { type: ["string", "number", "boolean"] };
  const shapes = [{ Set: text }, { Append: text }, { Remove: { const: true } }, { Find: text, Replace: text }];
  const objects = shapes.map((properties) => {
    return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
  });
  return { anyOf: [text, ...objects] };
}

const listOf = ($ref: string): JsonSchema => ({ type: "array", items: { $ref } });

const referenceForms = {
  section: ($ref: string): JsonSchema => ({ anyOf: [{ $ref }] }),
  sections: listOf,
  routes: listOf,
  record: ($ref: string): JsonSchema => ({ type: "object", additionalProperties: { $ref } }),
} as const;

/** A description is Markdown, with links between the pages of the documentation. */
function withoutLinks(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
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
