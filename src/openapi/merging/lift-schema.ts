import type { JsonObject } from "../../json/json-object.ts";

/** Writes a schema of OpenAPI 3.0 as 3.1 writes it. */
export function liftSchema({ nullable, ...schema }: JsonObject): JsonObject {
  const { type } = schema;
  const typed = nullable === true && typeof type === "string" ? { ...schema, type: [type, "null"] } : schema;
  return liftBound(liftBound(typed, "minimum", "exclusiveMinimum"), "maximum", "exclusiveMaximum");
}

/** What was said of a bound beside it is a bound of its own now. */
function liftBound(schema: JsonObject, bound: string, exclusive: string): JsonObject {
  const { [bound]: value, [exclusive]: isExclusive, ...rest } = schema;
  if (value === undefined) return rest;
  return { ...rest, [isExclusive === true ? exclusive : bound]: value };
}
