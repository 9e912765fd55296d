import { closestName } from "../../closest-name.ts";
import { locks } from "./locks.ts";
import type { Place } from "../../json/place.ts";
import type { Report } from "../problems/problem-list.ts";
import { unsupportedKeys } from "./unsupported-keys.ts";

const missingLocks = Object.entries(locks).filter(([, { missing }]) => missing !== undefined);
const unsupported = Object.values(unsupportedKeys).flatMap((table) => Object.keys(table));
const acknowledgeable = [...missingLocks.map(([name]) => name), ...unsupported];
const lowerCase = new Set(acknowledgeable.map((name) => name.toLowerCase()));

/** Says so when an acknowledged name is mistyped, since it acknowledges nothing then. */
export function warnOfAcknowledgements(names: readonly string[], place: Place, report: Report): void {
  for (const name of names) {
    if (lowerCase.has(name.trim().toLowerCase())) continue;
    const closest = closestName(name, acknowledgeable);
    const hint = closest === undefined ? "" : ` – did you mean ${JSON.stringify(closest)}?`;
    const found = `acknowledgeUnsupported names ${JSON.stringify(name)}`;
    report("acknowledgement-unknown", place, `${found}, which is no key of Ocelot's that is missing here${hint}`);
  }
}
