import { runAtOnce, type Steps } from "../time-slices.ts";
import type { Substitute, VariableFault } from "./variable-fault.ts";
import { maximumDepth, type ItemReader, type JsonMember, type JsonNode, type Span } from "./json-node.ts";
import { keepLast } from "./keep-last.ts";
import { createTreeBuilder, type OpenBracket, type TextReader, TooDeep } from "./json-tree.ts";
import { type SyntaxFaultName, walkJson } from "./walk-json.ts";

/** Something that is no JSON, comments and trailing commas allowed. */
export type JsonFault = Readonly<{ code: "json-syntax" | "json-depth"; message: string; span: Span }>;

/** A variable without a value; the text around it is sound. */
export type VariableFinding = VariableFault & Readonly<{ span: Span }>;

/** What was read: the tree as far as it could be understood, and what could not. */
export type JsonReading = Readonly<{
  root: JsonNode | undefined;
  faults: readonly JsonFault[];
  variables: readonly VariableFinding[];
}>;

/** A fault under the name that the walk has for it. */
type SyntaxFault = JsonFault & Readonly<{ name: SyntaxFaultName | "TooDeep" }>;

const mostFaults = 20;
const longestEcho = 10;

const faultMessages: Readonly<Record<SyntaxFaultName, string>> = {
  InvalidSymbol: "this is neither a text in double quotes, nor a number, true, false or null",
  InvalidNumberFormat: "this is not a number as JSON writes it",
  PropertyNameExpected: "expected a property name in double quotes",
  ValueExpected: "expected a value",
  ColonExpected: "expected a colon after the property name",
  CommaExpected: "expected a comma or a closing bracket before this",
  CloseBraceExpected: "expected a comma or the closing brace }",
  CloseBracketExpected: "expected a comma or the closing bracket ]",
  EndOfFileExpected: "expected nothing more after the configuration",
  UnexpectedEndOfComment: "the comment is not closed: expected */",
  UnexpectedEndOfString: "the text is not closed: expected a double quote on the same line",
  UnexpectedEndOfNumber: "the number ends too early",
  InvalidUnicode: "expected four hexadecimal digits after \\u",
  InvalidEscapeCharacter: 'this escape does not exist; a backslash itself is written "\\\\"',
  InvalidCharacter: "a control character must be escaped, such as \\t",
};

/** A text without its BOM, and where it begins among all texts: its spans say by themselves which text they are of. */
type PlacedText = Readonly<{ text: string; start: number }>;

/** Reads JSON with comments and trailing commas into nodes that know where they stand. */
export function* readJsonText(placed: PlacedText, readItem: ItemReader, substitute?: Substitute): Steps<JsonReading> {
  const { text, start } = placed;
  const faults: SyntaxFault[] = [];
  const variables: VariableFinding[] = [];
  const again = textReader(substitute, ignore);
  const folding = { readItem, unfold: keepLast((span: Span) => membersWithin(placed, span, again)) };
  const readText = textReader(substitute, (finding) => variables.push(finding));
  const builder = createTreeBuilder({ text, start, readText, folding });
  try {
    yield* walkJson(text, { ...builder.visitor, failed: recordFault(faults, placed, builder.innermost) });
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    faults.push(tooDeepAt(builder.deepest()));
  }
  return { root: builder.root(), faults: withoutEchoes(faults, placed), variables };
}

function textReader(
  substitute: Substitute | undefined,
  found: (finding: VariableFinding) => unknown,
): TextReader | undefined {
  if (substitute === undefined) return undefined;
  return (text, span) => substitute(text, (fault) => found({ ...fault, span }));
}

/** The members of an object within the text; its faults were noted when the whole was read. */
function membersWithin(whole: PlacedText, span: Span, readText: TextReader | undefined): readonly JsonMember[] {
  const part = whole.text.slice(span.start - whole.start, span.end - whole.start);
  const builder = createTreeBuilder({ text: part, start: span.start, readText });
  runAtOnce(walkJson(part, { ...builder.visitor, failed: ignore }));
  const root = builder.root();
  return root?.kind === "object" ? root.members : [];
}

function recordFault(faults: SyntaxFault[], { text, start }: PlacedText, innermost: () => OpenBracket | undefined) {
  return function recordSyntaxFault(name: SyntaxFaultName, offset: number, length: number): void {
    if (faults.length >= mostFaults) return;
    const open = name === "CommaExpected" && /[}\]]/.test(text.charAt(offset)) ? innermost() : undefined;
    const message = open === undefined ? faultMessages[name] : notClosed(open, { text, start });
    faults.push({ code: "json-syntax", name, message, span: spanOf(start + offset, length) });
  };
}

/** What is said of a bracket that closes another than the innermost one. */
function notClosed({ kind, span }: OpenBracket, { text, start }: PlacedText): string {
  const line = text.slice(0, span.start - start).split(/\r\n|\r|\n/).length;
  const [what, bracket] = kind === "array" ? ["list", "]"] : ["object", "}"];
  return `the ${what} that begins in line ${line} is not closed: expected ${bracket} before this`;
}

function ignore(): void {
  // The faults of a part were noted with the whole.
}

function tooDeepAt(offset: number): SyntaxFault {
  const message = `nested deeper than ${maximumDepth} levels`;
  return { code: "json-depth", name: "TooDeep", message, span: spanOf(offset, 1) };
}

/** One mistake makes the parser stumble twice: what it expected right after a fault is an echo. */
function withoutEchoes(faults: readonly SyntaxFault[], { text, start }: PlacedText): readonly JsonFault[] {
  if (text.trim() === "") return [{ code: "json-syntax", message: emptyText, span: spanOf(start, 0) }];
  return faults.filter(({ name, span }, index) => {
    const before = faults[index - 1];
    if (before === undefined || !name.endsWith("Expected")) return true;
    const between = text.slice(before.span.end - start, span.start - start);
    return between.length > longestEcho || /[\r\n]/.test(between.trim());
  });
}

const emptyText = 'the text is empty: expected an object such as { "Routes": [] }';

function spanOf(offset: number, length: number): Span {
  return { start: offset, end: offset + length };
}
