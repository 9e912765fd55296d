import type { Headers } from "../../delegating-handler.ts";
import { splitList } from "./cache-control.ts";

// Nobody compares a request with more than this: each request to a target is told apart by all names of its mark.
const mostVaryingNames = 32;
const mostNamesOfMark = 64;
const longestNames = 4_096;

/**
 * The headers of requests on which an answer depends, in lower case and sorted; undefined where nobody can tell. A coded
 * body is for those who can read it, and what is allowed to one origin is for that one, whether the answer says so or not.
 */
export function varyingNames(headers: Headers): readonly string[] | undefined {
  const { vary, "content-encoding": coding, "access-control-allow-origin": allowed } = headers;
  if (vary === undefined && coding === undefined && allowed === undefined) return none;
  const names = new Set(splitList(vary).map((name) => name.toLowerCase()));
  if ([...names].some(isUnclear) || names.size > mostVaryingNames || areTooLong([...names])) return undefined;
  if (splitList(coding).some((name) => name.toLowerCase() !== "identity")) names.add("accept-encoding");
  if (allowed !== undefined && String(allowed).trim() !== "*") names.add("origin");
  return [...names].sort();
}

const none: readonly string[] = [];

/** Whether a name means any header, as one with `*` may, or is none, as in `Accept; *`. */
function isUnclear(name: string): boolean {
  return !/^[\w!#$%&'+.^`|~-]+$/.test(name);
}

/**
 * The headers by which answers to a target are told apart from now on: those of earlier answers count, too. Where these
 * become too many, the answer is kept as if it were the first: under a mark of its own, which finds nothing older.
 */
export function withEarlierNames(names: readonly string[], earlier: readonly string[]): readonly string[] {
  if (earlier.length === 0) return names;
  const all = [...new Set([...names, ...earlier])].sort();
  return all.length > mostNamesOfMark || areTooLong(all) ? names : all;
}

function areTooLong(names: readonly string[]): boolean {
  return names.reduce((sum, name) => sum + name.length, 0) > longestNames;
}
