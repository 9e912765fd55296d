import type { JsonObject } from "../../json/json-object.ts";
import { schemaFields, sharedShapes, valueFields } from "./shared-shapes.ts";
import { type Shapes, statusName } from "./shape.ts";

const simpleValue = { ...valueFields, items: { one: "items" }, collectionFormat: "text" } as const;

/** The objects of OpenAPI 2.0, which was called Swagger. */
export const shapes2: Shapes = {
  ...sharedShapes,
  operation: {
    fields: {
      tags: "texts",
      summary: "text",
      description: "text",
      externalDocs: { one: "externalDocs" },
      operationId: "text",
      consumes: "texts",
      produces: "texts",
      responses: { map: "response", named: statusName },
      deprecated: "flag",
    },
    replacement: {},
  },
  parameter: {
    section: "parameters",
    fields: {
      name: "text",
      in: "text",
      description: "text",
      required: "flag",
      schema: { one: "schema" },
      allowEmptyValue: "flag",
      ...simpleValue,
    },
    complete: completeParameter,
  },
  items: { fields: simpleValue, complete: withType },
  response: {
    section: "responses",
    fields: {
      description: "text",
      schema: { one: "schema" },
      headers: { map: "header" },
      examples: "anything",
    },
    required: { description: "" },
  },
  header: { fields: { description: "text", ...simpleValue }, complete: withType },
  securityScheme: {
    fields: {
      type: "text",
      description: "text",
      name: "text",
      in: "text",
      flow: "text",
      authorizationUrl: "text",
      tokenUrl: "text",
      scopes: "anything",
    },
  },
  schema: {
    section: "definitions",
    replacement: {},
    fields: { ...schemaFields, discriminator: "text" },
  },
};

/** What is no body has a type, and a list says of what. */
function withType({ type = "string", ...rest }: JsonObject): JsonObject {
  return type === "array" ? { items: { type: "string" }, ...rest, type } : { ...rest, type };
}

function completeParameter({ schema, ...rest }: JsonObject): JsonObject {
  if (rest.in === "body") return { ...rest, schema: schema ?? {} };
  return rest.in === "path" ? { ...withType(rest), required: true } : withType(rest);
}
