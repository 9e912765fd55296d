import type { Route } from "../route.ts";

const notVisibleAscii = /[^\x20-\x7e]/g;

/** Whether clients may see a metadata key of a route. */
export type SelectMetadata = (key: string, value: string | null, route: Route) => boolean;

/** The metadata keys of a route that clients may see. */
export function selectKeys(route: Route, select: SelectMetadata): string[] {
  return Object.keys(route.metadata).filter((key) => select(key, route.metadata[key]!, route));
}

/** A route's metadata as JSON in visible ASCII, so that it fits a header as well as a body. */
export function formatMetadata({ metadata }: Route, keys: readonly string[]): string {
  const shown = Object.create(null) as Record<string, string | null>;
  for (const key of keys) shown[key] = metadata[key]!;
  return JSON.stringify(shown).replace(notVisibleAscii, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
