import { isObject, type JsonObject } from "../../json/json-object.ts";
import { getOrAdd } from "../../routing/index/get-or-add.ts";

type Schemas = Readonly<Record<string, unknown>>;

const start = "#/components/schemas/";

/**
 * A schema of several kinds may tell them apart by the names of their schemas. As these begin with something else now, the
 * names that services send are written down beside them.
 */
export function nameKinds(schema: JsonObject, beginning: string, heirs: readonly string[] = []): JsonObject {
  const { discriminator } = schema;
  const kinds = [...namesIn(schema.oneOf), ...namesIn(schema.anyOf), ...heirs];
  if (!isObject(discriminator) || kinds.length === 0) return schema;
  const sent = kinds.map((name) => [name.slice(beginning.length), start + name] as const);
  const mapping = { ...Object.fromEntries(sent), ...(discriminator.mapping as object | undefined) };
  return { ...schema, discriminator: { ...discriminator, mapping } };
}

/** Does so for kinds that say of themselves, by `allOf`, what they are a kind of. */
export function nameHeirs(schemas: Schemas, beginning: string): Schemas {
  const heirs = new Map<string, string[]>();
  for (const [name, schema] of Object.entries(schemas)) {
    for (const parent of isObject(schema) ? namesIn(schema.allOf) : []) getOrAdd(heirs, parent, () => []).push(name);
  }
  const named = Object.entries(schemas).map(([name, schema]) => {
    return [name, isObject(schema) ? nameKinds(schema, beginning, heirs.get(name)) : schema] as const;
  });
  return Object.fromEntries(named);
}

function namesIn(list: unknown): readonly string[] {
  const references = Array.isArray(list) ? list.map((one: unknown) => (isObject(one) ? one.$ref : undefined)) : [];
  return references
    .filter((one) => typeof one === "string")
    .flatMap((one) => (one.startsWith(start) ? [one.slice(start.length)] : []));
}
