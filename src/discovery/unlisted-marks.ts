const unlisted = new WeakSet();

/** Remembers that no configuration names the service of a route. */
export function markUnlisted(route: object): void {
  unlisted.add(route);
}

/** Whether no configuration names the service of a route, but a client: all such routes have one label in metrics. */
export function isUnlisted(route: object): boolean {
  return unlisted.has(route);
}
