import type { Headers } from "../../delegating-handler.ts";
import { joinLines } from "./cache-control.ts";

/**
 * Whether a 304 says of a kept answer that it still holds: it may be about another one that the client has, which handlers
 * have asked for. Services that code bodies name the same by a weak tag and a strong one.
 */
export function confirmsKept(told: Headers, kept: Headers, isAboutKept: boolean): boolean {
  const tag = opaqueTag(told);
  if (tag !== undefined) return tag === opaqueTag(kept);
  const modified = joinLines(told["last-modified"]);
  return modified === undefined ? isAboutKept : modified === joinLines(kept["last-modified"]);
}

function opaqueTag({ etag }: Headers): string | undefined {
  return joinLines(etag)?.trim().replace(/^W\//, "");
}
