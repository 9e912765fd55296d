import { allLocks, type Lock, type LockLevel } from "./locks.ts";
import { oldKeys } from "./old-keys.ts";
import type { SectionName } from "../sections.ts";
import { unsupportedKeys } from "./unsupported-keys.ts";

/** A key of Ocelot's that does not do here what it does there: what the checker makes of it, and what to do instead. */
export type KeyWithoutEffect = Readonly<{ name: string; fate: "refused" | "no effect" | "old"; remark: string }>;

/** The locks that a section may have, by name. */
export const lockTables: Readonly<Record<SectionName, Readonly<Record<string, Lock>>>> = {
  root: locksAt("root"),
  route: locksAt("route"),
  global: locksAt("global"),
};

function locksAt(level: LockLevel): Readonly<Record<string, Lock>> {
  return Object.fromEntries(
    Object.entries(allLocks).filter(([, lock]) => lock.isEnforced !== true && lock.levels.includes(level)),
  );
}

/** The keys of a section that are Ocelot's and not this gateway's, from the tables that the checker goes by. */
export function keysWithoutEffect(section: SectionName): readonly KeyWithoutEffect[] {
  const refused = Object.entries(lockTables[section] ?? {}).map(([name, { loss, instead }]): KeyWithoutEffect => {
    return { name, fate: "refused", remark: `Not implemented, so ${loss}: ${instead}` };
  });
  const without = Object.entries(unsupportedKeys[section] ?? {}).map(([name, advice]): KeyWithoutEffect => {
    return { name, fate: "no effect", remark: `No effect: ${advice}` };
  });
  const old = (oldKeys[section] ?? []).map(({ name, instead }): KeyWithoutEffect => {
    return { name, fate: "old", remark: `Old spelling: ${instead}` };
  });
  return [...refused, ...without, ...old];
}
