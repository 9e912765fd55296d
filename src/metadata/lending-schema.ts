import type { $ZodType, $ZodTypes } from "zod/v4/core";

const verdicts = new WeakMap<$ZodType, boolean>();

/**
 * Whether what a schema gives may hold something that is not made from the text: a default, or what a function of the user
 * gives. That may belong to somebody, or be no plain tree. What a schema without such parts gives is ours alone.
 */
export function mayLend(schema: $ZodType): boolean {
  let verdict = verdicts.get(schema);
  if (verdict === undefined) verdicts.set(schema, (verdict = lends(schema, new Set())));
  return verdict;
}

function lends(schema: $ZodType, seen: Set<$ZodType>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  const { def } = (schema as $ZodTypes)._zod;
  const isReplaced = def.checks?.some((check) => check._zod.def.check === "overwrite") ?? false;
  if (isReplaced) return true;
  const parts = partsOf(schema);
  return parts === undefined || parts.some((part) => lends(part, seen));
}

/** The schemas that a schema consists of, or `undefined` for one of a type that may lend. */
function partsOf(schema: $ZodType): readonly $ZodType[] | undefined {
  const { def } = (schema as $ZodTypes)._zod;
  switch (def.type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
    case "literal":
    case "enum":
    case "any":
    case "unknown":
      return [];
    case "object":
      return [...Object.values(def.shape), ...(def.catchall ? [def.catchall] : [])];
    case "array":
      return [def.element];
    case "tuple":
      return [...def.items, ...(def.rest ? [def.rest] : [])];
    case "record":
      return [def.keyType, def.valueType];
    case "union":
      return def.options;
    case "intersection":
      return [def.left, def.right];
    case "lazy":
      return [def.getter()];
    case "optional":
    case "nullable":
    case "nonoptional":
    case "readonly":
      return [def.innerType];
    default:
      return undefined;
  }
}
