import type { Steps } from "../time-slices.ts";

/** What a text may come to at most. */
export type JsonBounds = Readonly<{
  /** How deeply lists and objects are nested. */
  depth: number;
  /** How many members one of them has. */
  members?: number;
  /** How many values there are: lists and objects with nothing in them count twice. */
  values?: number;
}>;

/** Why a text is not read: it is no JSON, or goes beyond one of the bounds. */
export type JsonFault = "form" | keyof JsonBounds;

/** A list or object that is long: its members, in pieces that are short, or long as one value is. */
export type Block = Readonly<{ start: number; end: number; isList: boolean; pieces: readonly Piece[] }>;

/** Some members of a block; of one that is a block itself, that one alone. */
export type Piece = Readonly<{ from: number; to: number; block: Block | undefined }>;

/** A list or object that is not at its end yet. */
type Open = {
  start: number;
  isList: boolean;
  members: number;
  pieces: Piece[];
  /** Where the members begin that are in no piece yet, and where the last of them does. */
  from: number;
  member: number;
  /** The long value in that last member. */
  block: Block | undefined;
};

const lengthOfPiece = 16_384;
const charactersOfStep = 4_096;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const bracket = 0x5b;
const closingBracket = 0x5d;
const brace = 0x7b;
const closingBrace = 0x7d;

/** Finds where a text can be cut, if it is JSON: its root, where that is long. Whether it is JSON shows only when it is parsed. */
export function* findBlocks(
  text: string,
  { depth, members = Infinity, values = Infinity }: JsonBounds,
): Steps<Readonly<{ root: Block | undefined }> | Readonly<{ fault: JsonFault }>> {
  const open: Open[] = [begin(0, true)];
  let level = 0;
  let seen = 1;
  let inText = false;
  let endOfStep = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= endOfStep) {
      yield;
      endOfStep = at + charactersOfStep;
    }
    const code = text.charCodeAt(at);
    if (code === quote) inText = !inText;
    else if (inText) {
      if (code === backslash) at += 1;
    } else if (code === comma) {
      const inner = open[level]!;
      if (level === 0) return { fault: "form" };
      inner.members += 1;
      seen += 1;
      if (inner.members > members) return { fault: "members" };
      endMember(inner, at, at - inner.from >= lengthOfPiece);
    } else if (code === bracket || code === brace) {
      level += 1;
      seen += 1;
      if (level > depth) return { fault: "depth" };
      open[level] = begin(at, code === bracket);
    } else if (code === closingBracket || code === closingBrace) {
      const inner = open[level]!;
      const outer = open[level - 1];
      if (outer === undefined || inner.isList !== (code === closingBracket)) return { fault: "form" };
      level -= 1;
      const isLong = at - inner.start >= lengthOfPiece;
      if (!isLong) continue;
      if (outer.block !== undefined) return { fault: "form" };
      endMember(inner, at, true);
      outer.block = { start: inner.start, end: at, isList: inner.isList, pieces: inner.pieces };
    }
    if (seen > values) return { fault: "values" };
  }
  return inText || level > 0 ? { fault: "form" } : { root: open[0]!.block };
}

function begin(start: number, isList: boolean): Open {
  return { start, isList, members: 1, pieces: [], from: start + 1, member: start + 1, block: undefined };
}

/** A value that is long is a piece of its own; of others, as many make one as come to enough, or as there are. */
function endMember(inner: Open, at: number, isEnough: boolean): void {
  const { from, member, block, pieces } = inner;
  inner.member = at + 1;
  if (block !== undefined) {
    if (from < member) pieces.push({ from, to: member - 1, block: undefined });
    pieces.push({ from: member, to: at, block });
  } else if (isEnough) pieces.push({ from, to: at, block });
  else return;
  inner.from = at + 1;
  inner.block = undefined;
}
