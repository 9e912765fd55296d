import type { $ZodType } from "zod/v4/core";
import { foldCase } from "./fold-case.ts";
import { namePlanOf, type NamePlan } from "./name-plan.ts";

type Members = Record<string, unknown>;

/** What came of aligning: where several members took one name, only the order of the text says which counts. */
export type Alignment = Readonly<{ value: unknown; hasCollision: boolean }>;

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
