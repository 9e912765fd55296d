/** What stands before the first `?` of a URL or a template. */
export function pathOf(target: string): string {
  const at = target.indexOf("?");
  return at === -1 ? target : target.slice(0, at);
}

/** What follows the first `?`; undefined where there is none. */
export function queryOf(target: string): string | undefined {
  const at = target.indexOf("?");
  return at === -1 ? undefined : target.slice(at + 1);
}
