import type { SectionName } from "./known-keys.ts";
import { locks, routeSources, type Lock } from "./locks.ts";
import { oldKeys } from "./old-keys.ts";
import { unsupportedKeys } from "./unsupported-keys.ts";

/** A key of Ocelot's that does not do here what it does there: what the checker makes of it, and what to do instead. */
export type MissingKey = Readonly<{ name: string; fate: "refused" | "no effect" | "old"; remark: string }>;

/** The locks that a section may have, by name. */
export const lockTables: Readonly<Partial<Record<SectionName, Readonly<Record<string, Lock>>>>> = {
  root: routeSources,
  route: locks,
  global: locks,
};

/** The keys of a section that are Ocelot's and not this gateway's, from the tables that the checker goes by. */
export function missingKeys(section: SectionName): readonly MissingKey[] {
  const refused = Object.entries(lockTables[section] ?? {}).map(([name, { loss, instead }]): MissingKey => {
    return { name, fate: "refused", remark: `Not implemented, so ${loss}: ${instead}` };
  });
  const without = Object.entries(unsupportedKeys[section] ?? {}).map(([name, advice]): MissingKey => {
    return { name, fate: "no effect", remark: `No effect: ${advice}` };
  });
  const old = (oldKeys[section] ?? []).map(({ name, instead }): MissingKey => {
    return { name, fate: "old", remark: `Old spelling: ${instead}` };
  });
  return [...refused, ...without, ...old];
}
