// Each reference repeats the name that it leads to.
const longestName = 200;

/** What a name of a service comes to: those of OpenAPI 3 are of few kinds of characters. */
export function toName(written: string): string {
  return written.replace(/[^\w.-]+/g, "_").slice(0, longestName) || "_";
}
