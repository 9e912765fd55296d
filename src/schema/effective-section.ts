type GlobalSection = Readonly<{ RouteKeys?: readonly string[] | undefined }>;

/**
 * What holds for a route: its own section over the global one, option by option. A global section with `RouteKeys` holds
 * for the routes of these keys only.
 */
export function effectiveSection<Values extends object>(
  own: Values | undefined,
  global: (Values & GlobalSection) | undefined,
  key: string | undefined,
): Values | undefined {
  if (global === undefined || !reachesRoute(global, key)) return own;
  return { ...global, ...own };
}

/** Whether a global section holds for the route of a key. */
export function reachesRoute({ RouteKeys: keys }: GlobalSection, key: string | undefined): boolean {
  return keys === undefined || keys.length === 0 || (key !== undefined && keys.includes(key));
}
