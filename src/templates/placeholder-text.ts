import { GatewayError } from "../errors.ts";

/** The values of one request as they stand after the user's middleware, which may have set anything. */
export type AssignedValues = Readonly<Record<string, unknown>>;

/** The text of a placeholder: nothing counts as empty, a number as it is written; other kinds of values are refused. */
export function placeholderText(values: AssignedValues, name: string): string {
  const value = values[name];
  return textOf(value) ?? refuse(name, value);
}

/** The same for what only tells of a request: a value of another kind is in no text of it. */
export function shownPlaceholderText(values: AssignedValues, name: string): string {
  try {
    return textOf(values[name]) ?? "";
  } catch {
    // Somebody's accessor.
    return "";
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  const isPlain = typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
  return isPlain ? String(value) : undefined;
}

function refuse(name: string, value: unknown): never {
  throw new GatewayError(
    "handler-misuse",
    `Middleware has set the placeholder ${JSON.stringify(name)} to ${typeof value === "object" ? "an object" : `a ${typeof value}`}; ` +
      "expected a text, a number, or undefined for an empty one.",
  );
}
