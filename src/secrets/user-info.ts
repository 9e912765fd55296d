import type { Span } from "./spans.ts";

// JSON may escape slashes, and JSON within JSON the backslashes, too.
const userInfo = /:(?:\\{0,3}\/){2}([^/?#]*)@/;
const everyUserInfo = new RegExp(userInfo, "g");

/** Whether a name or a password stands before a host. */
export function holdsUserInfo(text: string): boolean {
  return text.includes("@") && userInfo.test(text);
}

/** Where names and passwords stand before hosts. */
export function findUserInfo(text: string): Span[] {
  if (!text.includes("@")) return [];
  return [...text.matchAll(everyUserInfo)].map(({ index, 0: found, 1: info = "" }) => {
    const end = index + found.length - 1;
    return { start: end - info.length, end };
  });
}
