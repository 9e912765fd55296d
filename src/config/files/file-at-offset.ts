import type { Finding } from "../problems/problem-list.ts";
import type { FoundFile } from "./sources.ts";

/** A file among others, by the offset at which its text begins. */
export type PlacedFile = FoundFile & Readonly<{ start: number }>;

/** A finding about a file as a whole. */
export function findingAt({ start }: PlacedFile, code: Finding["code"], message: string): Finding {
  return { code, path: "", message, span: { start, end: start + 1 } };
}
