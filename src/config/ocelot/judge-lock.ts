import { hasEntries } from "./has-entries.ts";
import type { Missing } from "./locks.ts";
import type { Place } from "../../json/place.ts";
import { reportEmptyParts } from "../read/empty-parts-of-locks.ts";
import { reportRepeats } from "../read/report-repeats.ts";
import type { Reading } from "../read/reading.ts";

/** A lock as it stands in a configuration. */
type WrittenLock = Readonly<{ name: string; place: Place }>;

/** Judges a lock that the gateway does not enforce: whether its parts are filled, and whether it can be done without. */
export function judgeLock(written: WrittenLock, missing: Missing, reading: Reading): void {
  const { name, place } = written;
  reportRepeats(place, reading, (member) => member.toLowerCase());
  if (reading.isAcknowledged(name)) return acknowledge(written, reading);
  reportEmptyParts(name, place, reading);
  if (hasEntries(place.node)) reading.report("lock-unfulfilled", place, unfulfilled(name, missing));
}

/** What is said of a lock that is on. */
function unfulfilled(name: string, { loss, instead }: Missing): string {
  const how = `--acknowledge ${name} (in code acknowledgeUnsupported: ["${name}"])`;
  const orElse = `if something else does it already, start without it: ${how}`;
  return `"${name}" is not implemented, so ${loss}: ${instead}; ${orElse}`;
}

function acknowledge({ name, place }: WrittenLock, reading: Reading): void {
  if (!hasEntries(place.node)) return;
  reading.report("lock-acknowledged", place, `"${name}" is not enforced by this gateway, as acknowledged`);
}
