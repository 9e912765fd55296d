import { nodeToJson, type JsonNode } from "../../json/json-node.ts";
import { type Place, placeWithin } from "../../json/place.ts";
import { reportLockIn } from "../ocelot/hidden-locks.ts";
import { emptyRecord, expectObject } from "./object-of-free-names.ts";
import type { Reading } from "./reading.ts";
import { reportRepeats } from "./report-repeats.ts";

/** Reads metadata: free keys to texts; anything that is no text becomes one as in .NET, null stays null. */
export function readMetadata(place: Place, reading: Reading): Readonly<Record<string, string | null>> | undefined {
  const object = expectObject(place, "an object of texts", reading);
  if (object === undefined) return undefined;
  reportRepeats(place, reading, (name) => name);
  const metadata = emptyRecord<string | null>();
  for (const { name, nameSpan, node } of object.members) {
    metadata[name] = metadataText(node);
    // A brace too low, and a lock has become a note that nobody enforces.
    if (node.kind === "object") reportLockIn({ ...placeWithin(place, name, node), span: nameSpan }, reading);
  }
  return Object.freeze(metadata);
}

function metadataText(node: JsonNode): string | null {
  if (node.kind === "object" || node.kind === "array") return nodeToJson(node);
  return node.kind === "null" ? null : node.text;
}
