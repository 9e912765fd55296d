import { encodeLiteral } from "../../templates/template.ts";
import { normalisePath } from "../../urls/normalise-path.ts";

/** What stands between two slashes of a template: literal text, and names in braces. */
export type PathSegment = readonly (string | Readonly<{ name: string }>)[];

const bracedName = /(\{[^{}]+\})/;

/** Cuts a path template at its slashes; undefined for what is none. */
export function cutSegments(path: string): readonly PathSegment[] | undefined {
  if (!path.startsWith("/") || /[?#]/.test(path)) return undefined;
  const segments = path.slice(1).split("/").map(cutSegment);
  const isClean = segments.every((segment) => segment.every((part) => typeof part === "object" || !/[{}]/.test(part)));
  return isClean ? segments : undefined;
}

function cutSegment(text: string): PathSegment {
  return text
    .split(bracedName)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("{") && part.endsWith("}") ? { name: part.slice(1, -1) } : part));
}

/** The text of a segment again. */
export function textOf(segment: PathSegment): string {
  return segment.map((part) => (typeof part === "string" ? part : `{${part.name}}`)).join("");
}

/** The names in a text, in order. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
}

/** The only name of a segment that is nothing else. */
export function wholeName(segment: PathSegment): string | undefined {
  const [only, ...others] = segment;
  return typeof only === "object" && others.length === 0 ? only.name : undefined;
}

/** Whether two literals are the same in a URL; services that tell capitals apart are rare, and so are such paths. */
export function isSameLiteral(one: string, other: string): boolean {
  return one === other || comparable(one) === comparable(other);
}

function comparable(literal: string): string {
  return normalisePath(encodeLiteral(literal)).toLowerCase();
}
