import type { Headers } from "../../delegating-handler.ts";
import { joinLines } from "./cache-control.ts";

// Who says any of these means that nobody else is to get the answer, or that nobody is to get it again, also where semicolons
// or blanks stand for commas.
const forbidding = /(?<![\w-])(?:private|no-store|no-cache)(?![\w-])/i;
const spans = /(?<![\w-])(?:max-age|s-maxage)(?![\w-])\s*(?:=([^,;]*))?/gi;
const quotedArgument = /="((?:[^"\\]|\\.)*)"/g;
const setting = ["set-cookie", "set-cookie2"];

/** The headers that may forbid it, by names in lower case. */
export const forbiddingNames: ReadonlySet<string> = new Set(["cache-control", ...setting]);

/** Whether what an answer says forbids to give it to anybody else, or again. */
export function isForbidden(headers: Headers): boolean {
  if (setting.some((name) => headers[name] !== undefined)) return true;
  const told = joinLines(headers["cache-control"]);
  if (told === undefined || told === "") return false;
  const control = told.includes('"') ? told.replace(quotedArgument, withoutQuotes) : told;
  return forbidding.test(control) || control.matchAll(spans).some(([, argument = ""]) => isNoTime(argument));
}

/** What else stands within the quotes of an argument is no word of the answer's. */
function withoutQuotes(_quoted: string, argument: string): string {
  return `=${/^\d+$/.test(argument) ? argument : ""}`;
}

/** Anything but a number above 0 is no time for which an answer could be given again. */
function isNoTime(argument: string): boolean {
  const digits = argument.trim();
  return !/^\d+$/.test(digits) || Number(digits) === 0;
}
