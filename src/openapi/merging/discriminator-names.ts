import { isObject, type JsonObject, setMember } from "../../json/json-object.ts";
import { getOrAdd } from "../../routing/index/get-or-add.ts";
import type { Steps } from "../../time-slices.ts";

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
  const mapping: Record<string, unknown> = {};
  for (const name of kinds) setMember(mapping, name.slice(beginning.length), start + name);
  const { mapping: written } = discriminator;
  if (isObject(written)) for (const name of Object.keys(written)) setMember(mapping, name, written[name]);
  return { ...schema, discriminator: { ...discriminator, mapping } };
}

/** Does so for kinds that say of themselves, by `allOf`, what they are a kind of. */
export function* nameHeirs(schemas: Schemas, beginning: string): Steps<Schemas> {
  const heirs = new Map<string, string[]>();
  const names = Object.keys(schemas);
  for (const name of names) {
    yield;
    const schema = schemas[name];
    for (const parent of isObject(schema) ? namesIn(schema.allOf) : []) getOrAdd(heirs, parent, () => []).push(name);
  }
  const named: Record<string, unknown> = {};
  for (const name of names) {
    yield;
    const schema = schemas[name];
    setMember(named, name, isObject(schema) ? nameKinds(schema, beginning, heirs.get(name)) : schema);
  }
  return named;
}

function namesIn(list: unknown): readonly string[] {
  const references = Array.isArray(list) ? list.map((one: unknown) => (isObject(one) ? one.$ref : undefined)) : [];
  return references
    .filter((one) => typeof one === "string")
    .flatMap((one) => (one.startsWith(start) ? [one.slice(start.length)] : []));
}
