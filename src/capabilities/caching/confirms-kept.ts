import type { Headers } from "../../delegating-handler.ts";
import { joinLines } from "./cache-control.ts";
import { opaqueTag } from "./opaque-tag.ts";

/**
 * Whether a 304 says of a kept answer that it still holds: it may be about another one that the client has, which handlers
 * have asked for.
 */
export function confirmsKept(told: Headers, kept: Headers, isAboutKept: boolean): boolean {
  const [tag, keptTag] = [joinLines(told.etag), joinLines(kept.etag)];
  if (tag !== undefined) return keptTag !== undefined && opaqueTag(tag) === opaqueTag(keptTag);
  const modified = joinLines(told["last-modified"]);
  return modified === undefined ? isAboutKept : modified === joinLines(kept["last-modified"]);
}
