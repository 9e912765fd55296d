import { GatewayError } from "../errors.ts";

/** The values of one request as they stand after the user's middleware, which may have set anything. */
export type AssignedValues = Readonly<Record<string, unknown>>;

/**
 * The text of a placeholder: `undefined` and `null` are empty, numbers and booleans stay as they are written; other
 * values are refused.
 */
export function placeholderText(values: AssignedValues, name: string): string {
  const value = values[name];
  return textOf(value) ?? refuse(name, value);
}

/** The same for a text that only tells of a request: there other values are left out. */
export function shownPlaceholderText(values: AssignedValues, name: string): string {
  try {
    return textOf(values[name]) ?? "";
  } catch {
    // An accessor of the user's has thrown.
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
