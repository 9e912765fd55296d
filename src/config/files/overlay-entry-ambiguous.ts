import type { Place } from "../../json/place.ts";
import type { Report } from "../problems/problem-list.ts";

/** Reports an entry that may be about several beneath. */
export function reportSeveral(at: Place, names: string, report: Report): void {
  const reason = "only one of them can be meant";
  report(
    "overlay-ambiguous",
    at,
    `this is about ${names}, and ${reason}: write its "Key", or all that tells it from the others`,
  );
}

/** Reports an entry about what another one of its file has changed already. */
export function reportTwice(at: Place, names: string, report: Report): void {
  report(
    "overlay-ambiguous",
    at,
    `this is about ${names}, over which another entry is laid already: make one of the two`,
  );
}

/** Reports an entry that says it is new, and is not. */
export function reportNotNew(at: Place, names: string, report: Report): void {
  report(
    "overlay-ambiguous",
    at,
    `"New": true is said of what is there already, ${names}: leave it out to change that, or say what tells the two apart`,
  );
}
