import { cutSegments, isSameLiteral, type PathSegment, textOf, wholeName } from "./path-segments.ts";

/** What the placeholders of a route stand for in a path of a document. */
export type Bindings = Readonly<{
  /** The pieces of the path, which may hold parameters of the document. */
  values: ReadonlyMap<string, string>;
  /** Placeholders that only the client fills: the document has one parameter for all of a segment. */
  open: ReadonlySet<string>;
  /** Whether the last placeholder is empty because the path ends before it, and before its slash. */
  endsBefore: boolean;
}>;

type Found = { values: Map<string, string>; open: Set<string> };

/** Compares the template of a route's downstream path with a path of a document. */
export type MatchTemplate = (path: readonly PathSegment[]) => Bindings | undefined;

/** Prepares the comparison; the value of `spanning` may hold slashes. */
export function createMatchTemplate(template: string, spanning: string | undefined): MatchTemplate | undefined {
  const segments = cutSegments(template);
  if (segments === undefined) return undefined;
  const at = segments.findIndex((segment) => spanning !== undefined && wholeName(segment) === spanning);
  const before = at === -1 ? segments : segments.slice(0, at);
  const behind = at === -1 ? [] : segments.slice(at + 1);

  return function matchTemplate(path) {
    const spanned = path.length - before.length - behind.length;
    const fits = at === -1 ? spanned === 0 : spanned > 0 || (spanned === 0 && behind.length === 0);
    if (!fits) return undefined;
    const found: Found = { values: new Map(), open: new Set() };
    const middle = path.slice(before.length, path.length - behind.length);
    if (!matchAll(before, path, found) || !matchAll(behind, path.slice(path.length - behind.length), found)) {
      return undefined;
    }
    if (at !== -1 && !bind(spanning!, middle.map(textOf).join("/"), found)) return undefined;
    return { ...found, endsBefore: at !== -1 && spanned === 0 };
  };
}

function matchAll(segments: readonly PathSegment[], path: readonly PathSegment[], found: Found): boolean {
  return segments.every((segment, index) => matchSegment(segment, path[index]!, found));
}

function matchSegment(segment: PathSegment, written: PathSegment, found: Found): boolean {
  const name = wholeName(segment);
  if (name !== undefined) return written.length > 0 && bind(name, textOf(written), found);
  const hasNames = segment.some((part) => typeof part === "object");
  if (wholeName(written) !== undefined) {
    for (const part of segment) if (typeof part === "object") found.open.add(part.name);
    return segment.length > 0;
  }
  return hasNames ? alignSegment(segment, textOf(written), found) : isCovered(textOf(segment), written);
}

/** Whether a literal is one of the values that a segment of the document can have. */
function isCovered(literal: string, written: PathSegment): boolean {
  const names = written.filter((part) => typeof part === "object");
  if (names.length === 0) return isSameLiteral(literal, textOf(written));
  if (names.length > 1) return false;
  const [before = "", behind = ""] = textOf(written).split(/\{[^{}]+\}/);
  const least = before.length + behind.length;
  return literal.length > least && literal.startsWith(before) && literal.endsWith(behind);
}

/** Finds the values between the literals of a segment: each as short as can be, and none empty. */
function alignSegment(segment: PathSegment, text: string, found: Found): boolean {
  let rest = text;
  let name: string | undefined;
  for (const part of segment) {
    if (typeof part === "object") {
      // Two names without anything between them: nobody can tell where one ends.
      if (name !== undefined) return false;
      name = part.name;
      continue;
    }
    const at = name === undefined ? (rest.startsWith(part) ? 0 : -1) : rest.indexOf(part, 1);
    if (at === -1 || (name !== undefined && !bind(name, rest.slice(0, at), found))) return false;
    rest = rest.slice(at + part.length);
    name = undefined;
  }
  return name === undefined ? rest === "" : rest !== "" && bind(name, rest, found);
}

/** A placeholder that stands twice has one value; a piece of a parameter is none. */
function bind(name: string, value: string, { values }: Found): boolean {
  if (cutSegments(`/${value}`) === undefined) return false;
  const known = values.get(name);
  values.set(name, value);
  return known === undefined || known === value;
}
