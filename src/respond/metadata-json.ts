import type { Route } from "../route.ts";

const notVisibleAscii = /[^\x20-\x7e]/g;

/** The metadata keys of a route that clients may see. */
export function selectKeys({ metadata }: Route, select: (key: string) => boolean): string[] {
  return Object.keys(metadata).filter((key) => select(key));
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
