/** How the routes and aggregates of two configurations differ; each by its `Key`, else by its methods, host and template. */
export type RouteChanges = Readonly<{
  added: readonly string[];
  removed: readonly string[];
  changed: readonly string[];
}>;

/** A route that differs, and the keys by which it does: its own, and those of `GlobalConfiguration` that reach it. */
export type ChangedRoute = Readonly<{ route: string; keys: readonly string[] }>;

/** How two configurations differ, and by which keys the changed routes do. */
export type RouteDifferences = Readonly<{ changes: RouteChanges; changedKeys: readonly ChangedRoute[] }>;
