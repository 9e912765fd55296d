import type { $ZodType, $ZodTypes } from "zod/v4/core";
import { foldCase } from "../../../dotnet/fold-case.ts";

type Members = Record<string, unknown>;

/** What came of aligning: where several members took one name, only the order of the text says which counts. */
type Alignment = Readonly<{ value: unknown; hasCollision: boolean }>;

/**
 * Gives the members of a freshly parsed JSON tree the names a schema knows them by, where they differ in case only.
 * The tree is changed in place. Of several members for one name the last counts.
 */
export function alignNames(tree: unknown, schema: $ZodType): Alignment {
  const collisions = { found: false };
  const value = align(tree, namePlanOf(schema), collisions);
  return { value, hasCollision: collisions.found };
}

type Collisions = { found: boolean };

function align(value: unknown, plan: NamePlan, collisions: Collisions): unknown {
  if (plan.isEmpty || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return alignItems(value, plan, collisions);
  return alignMembers(value as Members, plan, collisions);
}

function alignItems(items: unknown[], plan: NamePlan, collisions: Collisions): unknown[] {
  for (const [index, item] of items.entries()) {
    if (typeof item === "object") items[index] = align(item, plan.itemPlan(index), collisions);
  }
  return items;
}

function alignMembers(members: Members, plan: NamePlan, collisions: Collisions): Members {
  const keys = Object.keys(members);
  const isAligned = keys.every((key) => plan.names.has(key) || nameOf(key, plan) === key);
  if (!isAligned) return alignMembers(rename(members, plan, collisions), plan, collisions);
  for (const key of keys) {
    const value = members[key];
    if (typeof value === "object") members[key] = align(value, plan.memberPlan(key), collisions);
  }
  return members;
}

function rename(members: Members, plan: NamePlan, collisions: Collisions): Members {
  const renamed = new Map<string, unknown>();
  for (const [key, value] of Object.entries(members)) {
    const name = nameOf(key, plan);
    if (renamed.has(name)) collisions.found = true;
    renamed.set(name, value);
  }
  return Object.fromEntries(renamed);
}

function nameOf(key: string, plan: NamePlan): string {
  if (plan.names.has(key)) return key;
  return plan.foldedNames.get(foldCase(key)) ?? key;
}

/** Which member names the schemas for one place know, and the plans of the places below; made only as far as asked for. */
type NamePlan = Readonly<{
  /** True where no schema looks into objects or arrays. */
  isEmpty: boolean;
  names: ReadonlySet<string>;
  /** The known names by their case-folded form; of several the first. */
  foldedNames: ReadonlyMap<string, string>;
  memberPlan: (name: string) => NamePlan;
  itemPlan: (index: number) => NamePlan;
}>;

type Shape = Readonly<Record<string, $ZodType>>;

/** A schema that looks into a value: what it says of the members of an object or the items of an array. */
type Container = Readonly<{
  shape?: Shape;
  otherMembers?: $ZodType | undefined;
  items?: readonly $ZodType[];
  otherItems?: $ZodType | undefined;
}>;

const emptyPlan: NamePlan = {
  isEmpty: true,
  names: new Set(),
  foldedNames: new Map(),
  memberPlan: () => emptyPlan,
  itemPlan: () => emptyPlan,
};

const plans = new WeakMap<$ZodType, NamePlan>();

/** The plan of one schema, made once. */
function namePlanOf(schema: $ZodType): NamePlan {
  let plan = plans.get(schema);
  if (plan === undefined) plans.set(schema, (plan = createPlan([schema])));
  return plan;
}

/** The plan of a place that any of several schemas may describe, as in a union. */
function planOfAny(schemas: readonly ($ZodType | undefined)[]): NamePlan {
  const present = schemas.filter((schema) => schema !== undefined);
  const [only, ...others] = present;
  return only !== undefined && others.length === 0 ? namePlanOf(only) : createPlan(present);
}

function createPlan(schemas: readonly $ZodType[]): NamePlan {
  const containers = schemas.flatMap((schema) => containersOf(schema));
  if (containers.length === 0) return emptyPlan;
  const names = new Set(containers.flatMap(({ shape = {} }) => Object.keys(shape)));
  const foldedNames = new Map([...names].reverse().map((name) => [foldCase(name), name]));
  const mostPlaces = Math.max(...containers.map(({ items = [] }) => items.length)); // beyond these all items are alike
  const placedItemPlan = remembered((index: number) =>
    planOfAny(containers.map(({ items, otherItems }) => items?.[index] ?? otherItems)),
  );
  return {
    isEmpty: false,
    names,
    foldedNames,
    memberPlan: remembered((name: string) => planOfAny(containers.map((container) => memberOf(container, name)))),
    itemPlan: (index) => placedItemPlan(Math.min(index, mostPlaces)),
  };
}

function memberOf({ shape = {}, otherMembers }: Container, name: string): $ZodType | undefined {
  return Object.hasOwn(shape, name) ? shape[name] : otherMembers;
}

/** How many different places a plan remembers: names that only the text knows must not fill the memory. */
const mostRemembered = 1000;

function remembered<Place>(create: (place: Place) => NamePlan): (place: Place) => NamePlan {
  const made = new Map<Place, NamePlan>();
  return function planOf(place) {
    let plan = made.get(place);
    if (plan !== undefined) return plan;
    plan = create(place);
    if (made.size < mostRemembered) made.set(place, plan);
    return plan;
  };
}

/** The containers that a schema stands for: wrappers are looked through, unions and intersections give all of theirs. */
function containersOf(schema: $ZodType, seen: ReadonlySet<$ZodType> = new Set()): Container[] {
  if (seen.has(schema)) return []; // a lazy schema that is nothing but itself
  const { def } = (schema as $ZodTypes)._zod;
  const path = new Set([...seen, schema]);
  const inside = (inner: unknown): Container[] => containersOf(inner as $ZodType, path);
  switch (def.type) {
    case "object":
      return [{ shape: def.shape, otherMembers: def.catchall }];
    case "record":
      return [{ otherMembers: def.valueType }];
    case "array":
      return [{ otherItems: def.element }];
    case "tuple":
      return [{ items: def.items, otherItems: def.rest ?? undefined }];
    case "union":
      return def.options.flatMap(inside);
    case "intersection":
      return [...inside(def.left), ...inside(def.right)];
    case "lazy":
      return inside(def.getter());
    case "pipe":
      return inside(def.in._zod.def.type === "transform" ? def.out : def.in);
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "nonoptional":
    case "readonly":
    case "catch":
      return inside(def.innerType);
    default:
      return [];
  }
}
