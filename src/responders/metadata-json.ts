import { GatewayError } from "../errors.ts";
import type { Route } from "../route.ts";
import { isPromise } from "../when-rejected.ts";

const notVisibleAscii = /[^\x20-\x7e]/g;

/** Whether clients may see a metadata key of a route. */
export type SelectMetadata = (key: string, value: string | null, route: Route) => boolean;

/** The metadata keys of a route that clients may see. */
export function selectKeys(route: Route, select: SelectMetadata): string[] {
  return Object.keys(route.metadata).filter((key) => isYes(select(key, route.metadata[key]!, route), key));
}

/** A promise is truthy, and so would count as a yes. */
function isYes(answer: unknown, key: string): boolean {
  if (!isPromise(answer)) return Boolean(answer);
  answer.catch(() => undefined);
  throw new GatewayError(
    "option-invalid",
    `The option select has returned a promise for the metadata key ${JSON.stringify(key)}. Whether clients may see a key has to be known at once.`,
  );
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
