import { mayRepeat } from "../../json/may-repeat.ts";
import { placeWithin, type Place } from "../../json/place.ts";
import type { Reading } from "./reading.ts";

/** Reports members that an object repeats, at any depth; `identify` says when two names are the same, at most up to case. */
export function reportRepeats(place: Place, reading: Reading, identify: (name: string) => string): void {
  const { node } = place;
  if (node.kind === "array") {
    node.items.forEach((item, index) => reportRepeats(placeWithin(place, index, item), reading, identify));
  }
  if (node.kind !== "object") return;
  const seen = mayRepeat(node.members) ? new Map<string, string>() : undefined;
  for (const { name, nameSpan, node: inner } of node.members) {
    const first = seen?.get(identify(name));
    if (first === undefined) seen?.set(identify(name), name);
    else reportRepeat({ ...placeWithin(place, name, inner), span: nameSpan }, first, reading);
    if (!("text" in inner)) reportRepeats(placeWithin(place, name, inner), reading, identify);
  }
}

/** Reports one member that stands twice in its object. */
export function reportRepeat(place: Place, first: string, reading: Pick<Reading, "report">): void {
  const found = String(place.key);
  const spelling = found === first ? "" : `, first as ${JSON.stringify(first)}; names match without case`;
  reading.report("key-repeated", place, `${JSON.stringify(found)} stands twice in this object${spelling}: remove one`);
}
