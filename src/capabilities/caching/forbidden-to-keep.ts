import type { Headers } from "../../delegating-handler.ts";
import { readDirectives } from "./cache-control.ts";

// Who says any of these means that nobody else is to get the answer, or that nobody is to get it again.
const forbidding = ["private", "no-store", "no-cache"];
const spans = ["max-age", "s-maxage"];
const setting = ["set-cookie", "set-cookie2"];

/** Whether what an answer says forbids to give it to anybody else, or again. */
export function isForbidden(headers: Headers): boolean {
  if (setting.some((name) => headers[name] !== undefined)) return true;
  const directives = readDirectives(headers["cache-control"]);
  if (directives.size === 0) return false;
  return (
    forbidding.some((name) => directives.has(name)) ||
    spans.some((name) => directives.get(name)?.some(isNoTime) === true)
  );
}

/** Anything but a number above 0 is no time for which an answer could be given again. */
function isNoTime(argument: string): boolean {
  return !/^\d+$/.test(argument) || Number(argument) === 0;
}
