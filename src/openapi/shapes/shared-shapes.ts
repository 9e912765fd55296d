import type { Field, Shapes } from "./shape.ts";

/** What all versions have in common. */
export const sharedShapes = {
  externalDocs: { fields: { description: "text", url: "text" }, required: { url: "" } },
  tag: { fields: { name: "text", description: "text", externalDocs: { one: "externalDocs" } }, required: { name: "" } },
  contact: { fields: { name: "text", url: "text", email: "text" } },
  license: { fields: { name: "text", identifier: "text", url: "text" }, required: { name: "" } },
  info: {
    fields: {
      title: "text",
      summary: "text",
      description: "text",
      termsOfService: "text",
      contact: { one: "contact" },
      license: { one: "license" },
      version: "text",
    },
  },
  xml: { fields: { name: "text", namespace: "text", prefix: "text", attribute: "flag", wrapped: "flag" } },
} as const satisfies Shapes;

/** What a value must be like, in the words of JSON Schema that all versions have. */
export const valueFields: Readonly<Record<string, Field>> = {
  type: "text",
  format: "text",
  default: "anything",
  multipleOf: "number",
  maximum: "number",
  exclusiveMaximum: "flag",
  minimum: "number",
  exclusiveMinimum: "flag",
  maxLength: "number",
  minLength: "number",
  pattern: "text",
  maxItems: "number",
  minItems: "number",
  uniqueItems: "flag",
  enum: "some",
};

/** The schemas of 2.0 and 3.0, as far as they are the same. */
export const schemaFields: Readonly<Record<string, Field>> = {
  ...valueFields,
  title: "text",
  description: "text",
  maxProperties: "number",
  minProperties: "number",
  required: "texts",
  allOf: { list: "schema" },
  items: { one: "schema" },
  properties: { map: "schema" },
  additionalProperties: { one: "schema", orFlag: true },
  readOnly: "flag",
  xml: { one: "xml" },
  externalDocs: { one: "externalDocs" },
  example: "anything",
};
