import type { IncomingHttpHeaders } from "node:http";
import type { HeaderTemplate } from "../templates/upstream-template.ts";
import { ignoreCase } from "./ignore-case.ts";
import { compileValuePattern, locateValues, type SegmentPattern, storeValues } from "../templates/segment-pattern.ts";

/** A header that a request must carry, with a value that fits. */
export type HeaderCondition = Readonly<{ name: string; pattern: SegmentPattern; caseSensitive: boolean }>;

/** Compiles a header template for comparing with or without case. */
export function compileHeaderCondition({ name, value }: HeaderTemplate, caseSensitive: boolean): HeaderCondition {
  return { name, pattern: compileValuePattern(value, (literal) => ignoreCase(literal, caseSensitive)), caseSensitive };
}

/** What a request says in a header; Node's object of headers inherits names that are no headers. */
export function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  return Object.hasOwn(headers, name) ? headers[name]?.toString() : undefined;
}

/** Whether the headers fulfil the condition; the values of its placeholders are added to `values` if that is given. */
export function matchHeader(
  { name, pattern, caseSensitive }: HeaderCondition,
  headers: IncomingHttpHeaders,
  values?: Record<string, string>,
): boolean {
  const text = headerText(headers, name);
  if (text === undefined) return false;
  const folded = ignoreCase(text, caseSensitive);
  if (pattern.names.length === 0) return folded === pattern.literals[0];
  const end = text.length;
  const positions = locateValues(pattern, folded, { start: 0, end, reach: end, least: 1 });
  if (positions === undefined) return false;
  if (values !== undefined) storeValues(pattern, positions, (start, end) => text.slice(start, end), values);
  return true;
}
