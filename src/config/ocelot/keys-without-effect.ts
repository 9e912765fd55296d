import { locks, type LockLevel, type Missing } from "./locks.ts";
import { oldKeys } from "../../schema/old-keys.ts";
import type { SectionName } from "../sections.ts";
import { unsupportedKeys } from "./unsupported-keys.ts";

/** A key of Ocelot's that does not do here what it does there: what the checker makes of it, and what to do instead. */
type KeyWithoutEffect = Readonly<{ name: string; fate: "refused" | "no effect" | "old"; remark: string }>;

/** The locks that a section may have and that the gateway does not enforce, by name. */
export const missingLocks: Readonly<Record<SectionName, Readonly<Record<string, Missing>>>> = {
  root: locksAt("root"),
  route: locksAt("route"),
  global: locksAt("global"),
};

function locksAt(level: LockLevel): Readonly<Record<string, Missing>> {
  const found = Object.entries(locks).flatMap(([name, { levels, missing }]) => {
    return missing !== undefined && levels.includes(level) ? [[name, missing] as const] : [];
  });
  return Object.fromEntries(found);
}

/** The keys of a section that are Ocelot's and not this gateway's, from the tables that the checker goes by. */
export function keysWithoutEffect(section: SectionName): readonly KeyWithoutEffect[] {
  const refused = Object.entries(missingLocks[section] ?? {}).map(([name, { loss, instead }]): KeyWithoutEffect => {
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
