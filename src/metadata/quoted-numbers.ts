import type { $ZodIssue } from "zod/v4/core";

type Path = readonly PropertyKey[];

/** The forms in which .NET reads a number in quotes: no blanks, no groups, no other radix. */
const quotedNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Turns the texts of a tree that a schema refused because it wanted numbers there into numbers, in place.
 * Gives the tree (a new one where the tree itself is such a text), or `undefined` where there was nothing to turn.
 */
export function convertQuotedNumbers(tree: unknown, issues: readonly $ZodIssue[]): unknown {
  const holder = { tree };
  const converted = pathsOfWantedNumbers(issues, []).filter((path) => convertAt(holder, ["tree", ...path]));
  return converted.length === 0 ? undefined : holder.tree;
}

/** Paths in the order of the issues; those of a union's alternatives are relative to the union. */
function pathsOfWantedNumbers(issues: readonly $ZodIssue[], base: Path): Path[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path];
    if (issue.code === "invalid_union") {
      return issue.errors.flatMap((alternative) => pathsOfWantedNumbers(alternative, path));
    }
    return wantsNumber(issue) ? [path] : [];
  });
}

function wantsNumber(issue: $ZodIssue): boolean {
  if (issue.code === "invalid_type") return issue.expected === "number" || issue.expected === "int";
  return issue.code === "invalid_value" && issue.values.some((value) => typeof value === "number");
}

function convertAt(root: object, path: Path): boolean {
  const key = path.at(-1)!;
  const parent = path.slice(0, -1).reduce<unknown>(ownMember, root);
  const text = ownMember(parent, key);
  if (typeof text !== "string" || !quotedNumber.test(text)) return false;
  return Reflect.set(parent as object, key, Number(text));
}

function ownMember(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<PropertyKey, unknown>)[key];
}
