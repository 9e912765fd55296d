/** An object of which nothing is known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value that was read is an object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value that was read as a list, empty where it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
