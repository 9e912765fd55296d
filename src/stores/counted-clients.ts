import { addNewest, type ByAge, createByAge, removeAged } from "../by-age.ts";
import { beginCount, type Count } from "./period-and-wait.ts";
import type { Quota } from "./store.ts";

/** The counts of one limit, by the age of periods, or of refusals. */
type Group = {
  readonly name: string;
  readonly open: ByAge<Count>;
  /** Those who are being refused are not forgotten before their time. */
  readonly refused: ByAge<Count>;
  /** What newcomers share who find no place. */
  shared: Count | undefined;
};

/** All counts, and how many there may be. */
type CountedClients = {
  readonly most: number;
  readonly groups: Map<string, Group>;
  size: number;
  /** The one that holds most of those in which somebody may be forgotten. */
  largest: Group | undefined;
  lastSweep: number;
};

/** Where a client is counted. */
export type CountPlace = Readonly<{ group: Group; key: string; now: number; quota: Quota }>;

// Looking at all limits takes time, so it is not done for each newcomer.
const sweepPause = 100;
const mostSwept = 1_000;
const sweptAlong = 2;
// Who is being refused cannot make room, so that one limit takes no more than seven eighths of what others leave it.
const mostTimesFree = 7;
// So many counts of a limit are forgotten for nobody else; fewer where a store has few places.
const fewOfOneLimit = 64;
const smallestPart = 16;

/** Makes room for so many counts. */
export function createCountedClients(most: number): CountedClients {
  return { most, groups: new Map(), size: 0, largest: undefined, lastSweep: -Infinity };
}

/** The group of a name; it is kept once something is counted in it. */
export function groupOf({ groups }: CountedClients, name: string): Group {
  return groups.get(name) ?? { name, open: createByAge(), refused: createByAge(), shared: undefined };
}

/** The count in which a client would be counted now, for whoever only looks. */
export function lookUpCount(clients: CountedClients, place: CountPlace): Count {
  const own = findCount(clients, place);
  if (own !== undefined) return own;
  return sweepForRoom(clients, place) ? beginCount(place.now, place.quota) : sharedCount(place);
}

/** The count of a client whose period is not over. */
export function findCount(clients: CountedClients, { group, key, now }: CountPlace): Count | undefined {
  const count = (group.open.entries.get(key) ?? group.refused.entries.get(key))?.value;
  if (count === undefined || count.endsAt > now) return count;
  forget(clients, group, key);
  return undefined;
}

/** Begins the count of a newcomer; without room for it, it is the one that newcomers share. */
export function addCount(clients: CountedClients, place: CountPlace): Count {
  const { group, key, now, quota } = place;
  sweep(clients, { group, now, most: sweptAlong });
  const isAlone = sweepForRoom(clients, place);
  if (isAlone && !leavesRoom(clients, group)) forgetOldest(clients);
  clients.groups.set(group.name, group);
  if (!isAlone) return (group.shared = sharedCount(place));
  const count = beginCount(now, quota);
  addNewest(group.open, detached(key), count);
  clients.size += 1;
  noteSize(clients, group);
  return count;
}

/** Keeps the count of a client that is refused for as long as it is. */
export function keepRefused({ group, key }: CountPlace, count: Count): void {
  if (removeAged(group.open, key) !== undefined) addNewest(group.refused, detached(key), count);
}

/** A piece of a header, as it is, would keep the whole of it in memory. */
function detached(key: string): string {
  return Buffer.from(key, "utf16le").toString("utf16le");
}

function sharedCount({ group: { shared }, now, quota }: CountPlace): Count {
  return shared !== undefined && shared.endsAt > now ? shared : beginCount(now, quota);
}

/** Whether others find room even if a newcomer of this limit takes some. */
function leavesRoom({ most, size }: CountedClients, group: Group): boolean {
  return sizeOf(group) < mostTimesFree * (most - size);
}

/** Whether a newcomer may have a count of its own: ended periods leave first, then others may make room. */
function sweepForRoom(clients: CountedClients, { group, now }: CountPlace): boolean {
  if (leavesRoom(clients, group)) return true;
  if (now - clients.lastSweep >= sweepPause) sweepAll(clients, now);
  return leavesRoom(clients, group) || othersMakeRoom(clients, group);
}

/**
 * Room is made by the limit that holds most, unless that is the one that asks, or few are left in it who are not being
 * refused: a client could make others come until its own count is forgotten.
 */
function othersMakeRoom({ most, largest }: CountedClients, group: Group): boolean {
  if (largest === undefined || largest === group || sizeOf(group) > sizeOf(largest)) return false;
  return largest.open.entries.size > Math.min(fewOfOneLimit, most / smallestPart);
}

function forgetOldest(clients: CountedClients): void {
  const { largest } = clients;
  if (largest?.open.oldest !== undefined) forget(clients, largest, largest.open.oldest.key);
}

function sweepAll(clients: CountedClients, now: number): void {
  clients.lastSweep = now;
  clients.largest = undefined;
  let most = mostSwept;
  for (const group of clients.groups.values()) {
    most -= sweep(clients, { group, now, most });
    if (group.shared !== undefined && group.shared.endsAt <= now) group.shared = undefined;
    removeEmpty(clients, group);
    noteSize(clients, group);
  }
}

function sweep(clients: CountedClients, { group, now, most }: Readonly<{ group: Group; now: number; most: number }>) {
  let swept = 0;
  for (const table of [group.open, group.refused]) {
    while (swept < most && table.oldest !== undefined && table.oldest.value.endsAt <= now) {
      forget(clients, group, table.oldest.key);
      swept += 1;
    }
  }
  return swept;
}

function forget(clients: CountedClients, group: Group, key: string): void {
  if ((removeAged(group.open, key) ?? removeAged(group.refused, key)) !== undefined) clients.size -= 1;
  removeEmpty(clients, group);
}

function removeEmpty({ groups }: CountedClients, group: Group): void {
  if (sizeOf(group) === 0 && group.shared === undefined) groups.delete(group.name);
}

function noteSize(clients: CountedClients, group: Group): void {
  if (group.open.oldest === undefined) return;
  const { largest } = clients;
  if (largest?.open.oldest === undefined || sizeOf(group) > sizeOf(largest)) clients.largest = group;
}

function sizeOf({ open, refused }: Group): number {
  return open.entries.size + refused.entries.size;
}
