import type { JsonNode } from "../../json/json-node.ts";
import type { Place } from "../../json/place.ts";
import type { OldMember } from "./unknown-keys.ts";
import type { Reading } from "./reading.ts";
import { readNumber } from "../../schema/values.ts";

/** The object that old spellings stand in: what it has in today's, and how a value is read as one of them. */
export type OldKeyOwner = Readonly<{
  has(key: string): boolean;
  read(key: string, place: Place): void;
  /** Reads what is written into what there is already, which counts first. */
  readInto(key: string, place: Place): void;
}>;

/** Reads what is written in old spellings as what it is called today; where both are written, today's counts. */
export function readOldKeys(oldMembers: readonly OldMember[], owner: OldKeyOwner, reading: Reading): void {
  for (const { oldKey, place } of oldMembers) {
    const { name, today, instead, isUsual = false, isMerged = false } = oldKey;
    if (name === "ReRoutes" && owner.has("Routes")) {
      reading.report("key-repeated", place, '"ReRoutes" is the old name of "Routes", and both are written: keep one');
      continue;
    }
    const isDouble = today !== undefined && owner.has(today);
    if (isDouble || !isUsual)
      reading.report("key-old", place, `${JSON.stringify(name)} is an old spelling: ${instead}`);
    if (name === "Metadata") reading.oldMetadata.push(place);
    if (today === undefined || (isDouble && !isMerged)) continue;
    const form = inTodaysForm(name, place, oldMembers);
    if (isDouble) owner.readInto(today, form);
    else owner.read(today, form);
  }
}

/** The old value dressed as today's; problems in it still point at what is written. */
function inTodaysForm(name: string, place: Place, oldMembers: readonly OldMember[]): Place {
  const { node } = place;
  const valued: Place = { ...place, span: node.span };
  const nameSpan = place.span;
  if (name === "LoadBalancer") {
    const options: JsonNode = { kind: "object", members: [{ name: "Type", nameSpan, node }], span: node.span };
    return { ...valued, node: options };
  }
  const reword = Object.hasOwn(rewordings, name) ? rewordings[name]! : undefined;
  if (reword !== undefined && "text" in node) return { ...valued, node: { ...node, text: reword(node.text.trim()) } };
  if (name !== "DownstreamHost") return valued;
  const port = oldMembers.find((member) => member.oldKey.name === "DownstreamPort")?.place;
  const members = [
    { name: "Host", nameSpan, node },
    ...(port === undefined ? [] : [{ name: "Port", nameSpan: port.span, node: port.node }]),
  ];
  const host: JsonNode = { kind: "object", members, span: node.span };
  return { ...valued, node: { kind: "array", items: [host], span: node.span } };
}

/** Old values that say in other words what today's say. */
const rewordings: Readonly<Record<string, (written: string) => string>> = {
  PeriodTimespan: (seconds) => `${Number.isNaN(readNumber(seconds)) ? seconds : readNumber(seconds)}s`,
  DisableRateLimitHeaders: (isOff) => (/^(true|false)$/i.test(isOff) ? String(isOff.toLowerCase() === "false") : isOff),
};
