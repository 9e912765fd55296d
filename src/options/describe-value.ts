/** A value that a caller has passed, in the words of a message. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(describeMember).join(", ")}]`;
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** A list may hold itself. */
function describeMember(value: unknown): string {
  return Array.isArray(value) ? "a list" : describeValue(value);
}
