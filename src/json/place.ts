import { isEmptyNode, type JsonMember, type JsonNode, type Span } from "./json-node.ts";
import { writtenPath } from "./written-path.ts";

/** A value of the configuration, how one gets there, and what of it a problem is about. */
export type Place = Readonly<{ node: JsonNode; key: string | number; parent: Place | undefined; span: Span }>;

/** The place of the whole configuration. */
export function rootPlace(node: JsonNode): Place {
  return { node, key: "", parent: undefined, span: node.span };
}

/** The place of an item, or of a member's value. */
export function placeWithin(parent: Place, key: string | number, node: JsonNode): Place {
  return { node, key, parent, span: node.span };
}

/** All that stands within an object or a list, at any depth, what is outside before what is in it. */
export function* placesBelow(place: Place): Generator<Place> {
  const { node } = place;
  const inner =
    node.kind === "array"
      ? node.items.map((item, index) => placeWithin(place, index, item))
      : node.kind === "object"
        ? node.members.map((member) => placeWithin(place, member.name, member.node))
        : [];
  for (const part of inner) {
    yield part;
    yield* placesBelow(part);
  }
}

/** The member that is written for a canonical key; names match without case, the last of several counts. */
export function findMember(place: Place, key: string): Place | undefined {
  if (place.node.kind !== "object") return undefined;
  const member = memberOf(place.node.members, key.toLowerCase());
  return member && placeWithin(place, member.name, member.node);
}

/** Whether nothing stands there for a canonical key. A value that could not be read stands there: the reader has told of it. */
export function isUnwritten(place: Place, key: string): boolean {
  const member = findMember(place, key);
  return member === undefined || isEmptyNode(member.node);
}

const fewMembers = 16;
const membersByName = new WeakMap<readonly JsonMember[], ReadonlyMap<string, JsonMember>>();

/** In an object with very many members each may be looked up for a problem of its own: such an object gets a table. */
function memberOf(members: readonly JsonMember[], wanted: string): JsonMember | undefined {
  if (members.length <= fewMembers) {
    return members.findLast(({ name }) => name.length === wanted.length && name.toLowerCase() === wanted);
  }
  const known = membersByName.get(members);
  const table = known ?? new Map(members.map((member) => [member.name.toLowerCase(), member]));
  if (known === undefined) membersByName.set(members, table);
  return table.get(wanted);
}

/** The nearest place that is written on the way to a canonical path. */
export function locate(place: Place, path: readonly (string | number)[]): Place {
  let found = place;
  for (const key of path) {
    const next = typeof key === "number" ? findItem(found, key) : findMember(found, key);
    if (next === undefined) return found;
    found = next;
  }
  return found;
}

/** The JSON path of a place, in the user's spelling. */
export function pathTo(place: Place): string {
  const keys: (string | number)[] = [];
  for (let at = place; at.parent !== undefined; at = at.parent) keys.unshift(at.key);
  return writtenPath(keys);
}

function findItem(place: Place, index: number): Place | undefined {
  const item = place.node.kind === "array" ? place.node.items[index] : undefined;
  return item && placeWithin(place, index, item);
}
