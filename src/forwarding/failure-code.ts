/** The code by which Node and the engines know a failure; empty where there is none. */
export function codeOf(failure: unknown): string {
  const { code } = (failure ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}
