import { reportContradiction, unfulfilled } from "./judge-lock.ts";
import { namesScheme } from "./lock-states.ts";
import { locks } from "./locks.ts";
import { findMember, type Place } from "../read/place.ts";
import type { Reading } from "../read/reading.ts";

const name = "AuthenticationOptions";
const noScheme =
  'no provider is named here or for all routes: name one with "AuthenticationProviderKeys", or remove this section';

/** Judges what asks for a way to recognise clients without naming one: the global one counts, if there is any. */
export function judgeNeededSchemes(global: Place, reading: Reading): void {
  const section = findMember(global, name);
  const isGlobal = section !== undefined && namesScheme(section);
  for (const { place, level } of reading.schemes.needed) {
    if (level === "global" && reading.schemes.isNamed) continue;
    if (isGlobal) reading.report("lock-unfulfilled", place, unfulfilled(name, locks[name]!));
    else reportContradiction(place, noScheme, reading);
  }
}
