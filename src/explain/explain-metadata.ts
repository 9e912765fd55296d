import type { ExplainedMetadata } from "./explanation.ts";

type Metadata = Readonly<Record<string, string | null>> | undefined;

/** Tells of each entry of merged metadata where it is written. */
export function explainMetadata(
  merged: Readonly<Record<string, string | null>>,
  global: Metadata,
  route: Metadata,
): ExplainedMetadata[] {
  return Object.entries(merged).map(([key, value]) => {
    const isGlobal = global !== undefined && Object.hasOwn(global, key);
    if (route === undefined || !Object.hasOwn(route, key)) return { key, value, from: "global" };
    return isGlobal ? { key, value, from: "route", replaces: global[key]! } : { key, value, from: "route" };
  });
}
