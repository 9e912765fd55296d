import { describeNode, type JsonNode } from "../../json/json-node.ts";
import { placeWithin, type Place } from "../../json/place.ts";
import type { Steps } from "../../time-slices.ts";
import type { Report } from "../problems/problem-list.ts";
import { createMeeting } from "./entry-beneath-overlay-entry.ts";
import { identityOf } from "./entry-identity.ts";
import type { JoinedList } from "./joined-lists.ts";
import { layObjectOver } from "./lay-value-over.ts";
import { shapeOf } from "./object-shape.ts";
import { reportUnmet, type UnmetEntry } from "./overlay-entry-unmatched.ts";
import { reportNotNew, reportSeveral, reportTwice } from "./overlay-entry-ambiguous.ts";
import { readNew, withoutNew } from "./new-overlay-entry.ts";

/** What laying a file over others needs to tell of them. */
export type Telling = Readonly<{
  report: Report;
  /** Noted here by whoever lays something over something. */
  laid: Laid;
  /** What an entry is called. */
  nameOf: (entry: JsonNode) => string;
}>;

/** What is laid over what: by the entry beneath, the entry above. */
export type Laid = Map<object, JsonNode>;

type Entries = Readonly<{ list: JoinedList; items: readonly JsonNode[]; areNew: boolean }>;

/** Lays the entries of one list over those beneath: each over the one that it is about, or behind them where it is new. */
export function* layEntries(
  { list, items, areNew }: Entries,
  above: Place,
  telling: Telling,
): Steps<readonly JsonNode[]> {
  const shape = shapeOf(list.section);
  const beneath = items.map((item) => identityOf(list, item));
  const { meet } = createMeeting(beneath);
  const result = [...items];
  const unmet: UnmetEntry[] = [];
  const entries = above.node.kind === "array" ? above.node.items : [];
  for (const [index, entry] of entries.entries()) {
    yield;
    const at = placeWithin(above, index, entry);
    if (entry.kind !== "object") {
      telling.report("wrong-type", at, `expected an object, found ${describeNode(entry)}`);
      continue;
    }
    const identity = identityOf(list, entry);
    const met = meet(identity);
    const [first] = met;
    const isNew = readNew(at, telling.report);
    const names = (): string => namesOf(items, met, telling);
    if ((isNew || areNew) && first === undefined) result.push(withoutNew(entry));
    else if (isNew) reportNotNew(at, names(), telling.report);
    else if (first === undefined) unmet.push({ at, identity });
    else if (met.length > 1) reportSeveral(at, names(), telling.report);
    else if (result[first] !== items[first]) reportTwice(at, names(), telling.report);
    else {
      const item = items[first]!;
      const laid = item.kind === "object" ? layObjectOver(item, withoutNew(entry), shape) : entry;
      telling.laid.set(laid, entry);
      result[first] = laid;
    }
  }
  yield* reportUnmet(unmet, { list, beneath, areAll: unmet.length === entries.length }, telling.report);
  return result;
}

const mostNamed = 3;

function namesOf(items: readonly JsonNode[], met: readonly number[], { nameOf }: Telling): string {
  const named = met.slice(0, mostNamed).map((index) => nameOf(items[index]!));
  const more = met.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(" and ");
}
