import type { HeaderTransform } from "../../schema/key.ts";

/** What is to be done with one header; one that is set to nothing is removed. */
export type Change =
  | Readonly<{ does: "set" | "append" | "add"; text: string }>
  | Readonly<{ does: "replace"; find: string; text: string }>;

/** The ways that headers go. */
export type Direction = "request" | "answer";

/**
 * Reads a transform: text with a comma is what to find and what to put there, as in Ocelot, which passes over the rest.
 * Other text replaces the header of a request, and is added to an answer that has none of that name.
 */
export function readChange(transform: HeaderTransform, direction: Direction): Change {
  if (typeof transform === "string") return readText(transform, direction);
  if ("Set" in transform) return { does: "set", text: transform.Set };
  if ("Append" in transform) return { does: "append", text: transform.Append };
  if ("Find" in transform) return { does: "replace", find: transform.Find, text: transform.Replace };
  return { does: "set", text: "" };
}

function readText(written: string, direction: Direction): Change {
  const [find = "", replacement] = written.split(",");
  if (replacement !== undefined) return { does: "replace", find, text: replacement.trimStart() };
  return { does: direction === "answer" ? "add" : "set", text: written };
}
