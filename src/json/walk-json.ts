import { createScanner, type JSONScanner } from "jsonc-parser";
import type { Steps } from "../time-slices.ts";

/** Told what a walk comes by; offsets and lengths are those of the token. */
export type JsonVisitor = Readonly<{
  opened: (kind: BracketKind, offset: number) => void;
  closed: (kind: BracketKind, offset: number, length: number) => void;
  /** The name of a member. */
  named: (name: string, offset: number, length: number) => void;
  valued: (value: string | number | boolean | null, offset: number, length: number) => void;
  failed: (fault: SyntaxFaultName, offset: number, length: number) => void;
}>;

type BracketKind = "object" | "array";

/** What can be wrong with a text, as jsonc-parser calls it. */
export type SyntaxFaultName =
  | ScanFaultName
  | "InvalidSymbol"
  | "InvalidNumberFormat"
  | "PropertyNameExpected"
  | "ValueExpected"
  | "ColonExpected"
  | "CommaExpected"
  | "CloseBraceExpected"
  | "CloseBracketExpected"
  | "EndOfFileExpected";

type ScanFaultName = NonNullable<(typeof scanFaults)[number]>;

/** jsonc-parser's tokens; its own names are erased with its types. */
const token = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  null: 7,
  true: 8,
  false: 9,
  string: 10,
  number: 11,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  blanks: 15,
  unknown: 16,
  end: 17,
} as const;

/** By the number of the scanner's error; 0 is none. */
const scanFaults = [
  undefined,
  "UnexpectedEndOfComment",
  "UnexpectedEndOfString",
  "UnexpectedEndOfNumber",
  "InvalidUnicode",
  "InvalidEscapeCharacter",
  "InvalidCharacter",
] as const;

const passedOver: ReadonlySet<number> = new Set([
  token.lineComment,
  token.blockComment,
  token.lineBreak,
  token.blanks,
  token.unknown,
]);

const brackets = {
  object: { close: token.closeBrace, notClosed: "CloseBraceExpected" },
  array: { close: token.closeBracket, notClosed: "CloseBracketExpected" },
} as const;

const words = new Map<number, boolean | null>([
  [token.null, null],
  [token.true, true],
  [token.false, false],
]);

const longestStep = 64;
const afterMember = [token.closeBrace, token.comma];
const afterItem = [token.closeBracket, token.comma];

/** A walk under way. */
type Walk = {
  readonly scanner: JSONScanner;
  readonly visitor: JsonVisitor;
  /** The brackets that are open. */
  readonly open: OpenBracket[];
  /** The token that comes next. */
  next: number;
};

type OpenBracket = { readonly kind: BracketKind; needsComma: boolean };

/**
 * Walks through JSON with comments and trailing commas, with jsonc-parser's scanner: what its `visit` would tell, and
 * the faults that it would find, but in steps. `visit` cannot be put down, and a large text takes it long.
 */
export function* walkJson(text: string, visitor: JsonVisitor): Steps<void> {
  const walk: Walk = { scanner: createScanner(text, false), visitor, open: [], next: token.end };
  advance(walk);
  if (!takeValue(walk)) {
    fail(walk, "ValueExpected");
    return;
  }
  let taken = 0;
  for (let top = walk.open.at(-1); top !== undefined; top = walk.open.at(-1)) {
    if (isAtEnd(walk, top)) close(walk, top);
    else takeNext(walk, top);
    taken += 1;
    if (taken % longestStep === 0) yield;
  }
  if (walk.next !== token.end) fail(walk, "EndOfFileExpected");
}

/** Whether nothing more comes within a bracket; passes the comma before what does come. */
function isAtEnd(walk: Walk, { kind, needsComma }: OpenBracket): boolean {
  const { close } = brackets[kind];
  if (walk.next === close || walk.next === token.end) return true;
  if (walk.next === token.comma) {
    if (!needsComma) fail(walk, "ValueExpected");
    return advance(walk) === close;
  }
  if (needsComma) fail(walk, "CommaExpected");
  return false;
}

function close(walk: Walk, { kind }: OpenBracket): void {
  const { close, notClosed } = brackets[kind];
  walk.visitor.closed(kind, walk.scanner.getTokenOffset(), walk.scanner.getTokenLength());
  walk.open.pop();
  // A bracket is missing only where the text ends: there is nothing to go on with.
  if (walk.next === close) advance(walk);
  else fail(walk, notClosed);
}

function takeNext(walk: Walk, top: OpenBracket): void {
  top.needsComma = true;
  if (top.kind === "object") takeMember(walk);
  else if (!takeValue(walk)) failUpTo(walk, "ValueExpected", afterItem);
}

function takeMember(walk: Walk): void {
  const { scanner, visitor } = walk;
  if (walk.next !== token.string) {
    failUpTo(walk, "PropertyNameExpected", afterMember);
    failUpTo(walk, "ValueExpected", afterMember);
    return;
  }
  visitor.named(scanner.getTokenValue(), scanner.getTokenOffset(), scanner.getTokenLength());
  if (advance(walk) !== token.colon) {
    failUpTo(walk, "ColonExpected", afterMember);
    return;
  }
  advance(walk);
  if (!takeValue(walk)) failUpTo(walk, "ValueExpected", afterMember);
}

function takeValue(walk: Walk): boolean {
  const { next, scanner } = walk;
  if (next === token.openBrace) return open(walk, "object");
  if (next === token.openBracket) return open(walk, "array");
  if (next === token.string) return takeScalar(walk, scanner.getTokenValue());
  if (next === token.number) return takeNumber(walk, Number(scanner.getTokenValue()));
  const word = words.get(next);
  return word === undefined ? false : takeScalar(walk, word);
}

function open(walk: Walk, kind: BracketKind): boolean {
  walk.visitor.opened(kind, walk.scanner.getTokenOffset());
  walk.open.push({ kind, needsComma: false });
  advance(walk);
  return true;
}

function takeNumber(walk: Walk, value: number): boolean {
  if (!Number.isNaN(value)) return takeScalar(walk, value);
  fail(walk, "InvalidNumberFormat");
  return takeScalar(walk, 0);
}

function takeScalar(walk: Walk, value: string | number | boolean | null): boolean {
  walk.visitor.valued(value, walk.scanner.getTokenOffset(), walk.scanner.getTokenLength());
  advance(walk);
  return true;
}

function failUpTo(walk: Walk, fault: SyntaxFaultName, ends: readonly number[]): void {
  fail(walk, fault);
  while (walk.next !== token.end && !ends.includes(walk.next)) advance(walk);
}

function fail({ scanner, visitor }: Walk, fault: SyntaxFaultName): void {
  visitor.failed(fault, scanner.getTokenOffset(), scanner.getTokenLength());
}

function advance(walk: Walk): number {
  for (;;) {
    walk.next = walk.scanner.scan();
    const fault = scanFaults[walk.scanner.getTokenError()];
    if (fault !== undefined) fail(walk, fault);
    if (walk.next === token.unknown) fail(walk, "InvalidSymbol");
    if (!passedOver.has(walk.next)) return walk.next;
  }
}
