import { keysWithoutEffect } from "../src/config/ocelot/keys-without-effect.ts";
import type { Section } from "../src/schema/key.ts";
import { allSections } from "../src/config/sections.ts";

/** A key of Ocelot's, and what becomes of it here; the remark says how it differs, or what to use instead. */
export type OcelotKey = Readonly<{
  section: string;
  name: string;
  verdict: "same" | "differs" | "not there";
  remark: string;
}>;

/** Every key of Ocelot's, in the order of the documentation, from the tables that the checker goes by. */
export function classifyOcelotKeys(): readonly OcelotKey[] {
  return allSections.flatMap((section) => [...keptKeys(section), ...lostKeys(section)]);
}

function keptKeys({ name: section, keys }: Section): readonly OcelotKey[] {
  return Object.entries(keys).flatMap(([name, { ocelot }]): readonly OcelotKey[] => {
    if (ocelot === undefined) return [];
    return [
      ocelot === "same"
        ? { section, name, verdict: "same", remark: "" }
        : { section, name, verdict: "differs", remark: ocelot },
    ];
  });
}

function lostKeys({ name: section }: Section): readonly OcelotKey[] {
  return keysWithoutEffect(section).map(({ name, fate, remark }) => {
    return { section, name, verdict: fate === "old" ? "differs" : "not there", remark };
  });
}
