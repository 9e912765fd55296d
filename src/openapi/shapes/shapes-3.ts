import { isObject, type JsonObject } from "../../json/json-object.ts";
import { schemaFields, sharedShapes } from "./shared-shapes.ts";
import { type Field, type Shape, type Shapes, statusName } from "./shape.ts";

/** How the value of a parameter or a header is written, and what it is. */
const writtenValue: Readonly<Record<string, Field>> = {
  description: "text",
  required: "flag",
  deprecated: "flag",
  allowEmptyValue: "flag",
  style: "text",
  explode: "flag",
  allowReserved: "flag",
  schema: { one: "schema" },
  example: "anything",
  examples: { map: "example" },
  content: { map: "mediaType" },
};

const commonShapes: Shapes = {
  ...sharedShapes,
  operation: {
    fields: {
      tags: "texts",
      summary: "text",
      description: "text",
      externalDocs: { one: "externalDocs" },
      operationId: "text",
      requestBody: { one: "requestBody" },
      responses: { map: "response", named: statusName },
      deprecated: "flag",
    },
    replacement: {},
  },
  parameter: {
    section: "parameters",
    fields: { name: "text", in: "text", ...writtenValue },
    complete: (copied) => ({ ...withOneSchema(copied), ...(copied.in === "path" ? { required: true } : {}) }),
  },
  requestBody: {
    section: "requestBodies",
    fields: { description: "text", content: { map: "mediaType" }, required: "flag" },
    required: { content: {} },
  },
  mediaType: {
    fields: {
      schema: { one: "schema" },
      example: "anything",
      examples: { map: "example" },
      encoding: { map: "encoding" },
    },
  },
  encoding: {
    fields: {
      contentType: "text",
      headers: { map: "header" },
      style: "text",
      explode: "flag",
      allowReserved: "flag",
    },
  },
  response: {
    section: "responses",
    fields: { description: "text", headers: { map: "header" }, content: { map: "mediaType" } },
    required: { description: "" },
  },
  header: { section: "headers", fields: writtenValue, complete: withOneSchema },
  example: { section: "examples", fields: { summary: "text", description: "text", value: "anything" } },
  securityScheme: {
    fields: {
      type: "text",
      description: "text",
      name: "text",
      in: "text",
      scheme: "text",
      bearerFormat: "text",
      flows: { one: "flows" },
      openIdConnectUrl: "text",
    },
  },
  server: {
    fields: { url: "text", description: "text", variables: { map: "serverVariable" } },
    required: { url: "/" },
  },
  serverVariable: { fields: { enum: "texts", default: "text", description: "text" }, required: { default: "" } },
  flows: {
    fields: {
      implicit: { one: "flow" },
      password: { one: "flow" },
      clientCredentials: { one: "flow" },
      authorizationCode: { one: "flow" },
    },
  },
  flow: {
    fields: { authorizationUrl: "text", tokenUrl: "text", refreshUrl: "text", scopes: "anything" },
    required: { scopes: {} },
  },
  discriminator: {
    fields: { propertyName: "text", mapping: { references: "schema" } },
    required: { propertyName: "" },
  },
};

/** Such a value has a schema, or one type of content. */
function withOneSchema({ content, ...rest }: JsonObject): JsonObject {
  if (rest.schema !== undefined) return rest;
  const isOne = isObject(content) && Object.keys(content).length === 1;
  return isOne ? { ...rest, content } : { ...rest, schema: {} };
}

const schemas = { section: "schemas", replacement: {} } as const;

const schema30: Shape = {
  ...schemas,
  fields: {
    ...schemaFields,
    not: { one: "schema" },
    oneOf: { list: "schema" },
    anyOf: { list: "schema" },
    nullable: "flag",
    writeOnly: "flag",
    deprecated: "flag",
    discriminator: { one: "discriminator" },
  },
};

const one: Field = { one: "schema" };
const list: Field = { list: "schema" };
const map: Field = { map: "schema" };

// All of JSON Schema 2020-12: words that nobody knows are allowed there.
const schema31: Shape = {
  ...schemas,
  allowsFlag: true,
  keepsBesideReference: true,
  // With a base of its own, references within would lead elsewhere.
  openBut: new Set(["$id", "$schema", "$vocabulary"]),
  fields: {
    ...{ allOf: list, anyOf: list, oneOf: list, prefixItems: list },
    ...{ if: one, then: one, else: one, not: one, items: one, contains: one, contentSchema: one },
    ...{ additionalProperties: one, propertyNames: one, unevaluatedItems: one, unevaluatedProperties: one },
    ...{ properties: map, patternProperties: map, dependentSchemas: map, $defs: map, definitions: map },
    ...{ const: "anything", enum: "anything", default: "anything", example: "anything", examples: "anything" },
    discriminator: { one: "discriminator" },
    xml: { one: "xml" },
    externalDocs: { one: "externalDocs" },
  },
};

/** The objects of OpenAPI 3.0. */
export const shapes30: Shapes = { ...commonShapes, schema: schema30 };

/** The objects of OpenAPI 3.1. */
export const shapes31: Shapes = { ...commonShapes, schema: schema31 };
