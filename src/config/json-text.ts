import { printParseErrorCode, visit, type JSONVisitor, type ParseErrorCode } from "jsonc-parser";
import { maximumDepth, nowhere, type JsonNode, type Span } from "./json-node.ts";

/** Something that is no JSON, comments and trailing commas allowed. */
export type JsonFault = Readonly<{ code: "json-syntax" | "json-depth"; message: string; span: Span }>;

/** What was read: the tree as far as it could be understood, and what could not. */
export type JsonReading = Readonly<{ root: JsonNode | undefined; faults: readonly JsonFault[] }>;

/** A fault under the name that jsonc-parser has for it. */
type SyntaxFault = JsonFault & Readonly<{ name: string }>;

class TooDeep extends Error {}

const mostFaults = 20;
const longestEcho = 10;

const faultMessages: Readonly<Record<string, string>> = {
  InvalidSymbol: "this is neither a text in double quotes, nor a number, true, false or null",
  InvalidNumberFormat: "this is not a number as JSON writes it",
  PropertyNameExpected: "expected a property name in double quotes",
  ValueExpected: "expected a value",
  ColonExpected: "expected a colon after the property name",
  CommaExpected: "expected a comma or a closing bracket before this",
  CloseBraceExpected: "expected a comma or the closing brace }",
  CloseBracketExpected: "expected a comma or the closing bracket ]",
  EndOfFileExpected: "expected nothing more after the configuration",
  InvalidCommentToken: "this comment is ill-formed",
  UnexpectedEndOfComment: "the comment is not closed: expected */",
  UnexpectedEndOfString: "the text is not closed: expected a double quote on the same line",
  UnexpectedEndOfNumber: "the number ends too early",
  InvalidUnicode: "expected four hexadecimal digits after \\u",
  InvalidEscapeCharacter: 'this escape does not exist; a backslash itself is written "\\\\"',
  InvalidCharacter: "a control character must be escaped, such as \\t",
};

/** Reads JSON with comments and trailing commas into nodes that know where they stand; the text comes without its BOM. */
export function readJsonText(text: string): JsonReading {
  const faults: SyntaxFault[] = [];
  const builder = createTreeBuilder(text);
  try {
    visit(text, { ...builder.visitor, onError: recordFault(faults) }, { allowTrailingComma: true });
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    faults.push(tooDeepAt(builder.deepest()));
  }
  return { root: builder.root(), faults: withoutEchoes(faults, text) };
}

function recordFault(faults: SyntaxFault[]) {
  return function recordSyntaxFault(code: ParseErrorCode, offset: number, length: number): void {
    const name = printParseErrorCode(code);
    const message = faultMessages[name] ?? "this is not JSON";
    if (faults.length < mostFaults) faults.push({ code: "json-syntax", name, message, span: spanOf(offset, length) });
  };
}

function tooDeepAt(offset: number): SyntaxFault {
  const message = `nested deeper than ${maximumDepth} levels`;
  return { code: "json-depth", name: "TooDeep", message, span: spanOf(offset, 1) };
}

/** One mistake makes the parser stumble twice: what it expected right after a fault is an echo. */
function withoutEchoes(faults: readonly SyntaxFault[], text: string): readonly JsonFault[] {
  if (text.trim() === "") return [{ code: "json-syntax", message: emptyText, span: spanOf(0, 0) }];
  return faults.filter(({ name, span }, index) => {
    const before = faults[index - 1];
    if (before === undefined || !name.endsWith("Expected")) return true;
    const between = text.slice(before.span.end, span.start);
    return between.length > longestEcho || /[\r\n]/.test(between.trim());
  });
}

const emptyText = 'the text is empty: expected an object such as { "Routes": [] }';

function spanOf(offset: number, length: number): Span {
  return { start: offset, end: offset + length };
}

type OpenNode = { node: Extract<JsonNode, { kind: "object" | "array" }>; name: string | undefined; nameSpan: Span };

/** Builds the tree iteratively; what jsonc-parser's own tree keeps (parents, types, colons) is not needed. */
function createTreeBuilder(text: string) {
  let root: JsonNode | undefined;
  let deepest = 0;
  const open: OpenNode[] = [];

  function add(node: JsonNode): void {
    const top = open.at(-1);
    if (top === undefined) {
      root ??= node;
      return;
    }
    if (top.node.kind === "array") {
      top.node.items.push(node);
      return;
    }
    if (top.name !== undefined) top.node.members.push({ name: top.name, nameSpan: top.nameSpan, node });
    top.name = undefined;
  }

  function begin(node: OpenNode["node"]): void {
    deepest = node.span.start;
    if (open.length >= maximumDepth) throw new TooDeep();
    add(node);
    open.push({ node, name: undefined, nameSpan: nowhere });
  }

  /** Broken text may leave inner brackets open: whatever stays open reaches to the end of the text. */
  function end(kind: OpenNode["node"]["kind"], end: number): void {
    const index = open.findLastIndex(({ node }) => node.kind === kind);
    if (index === -1) return;
    const { node } = open[index]!;
    node.span = { start: node.span.start, end };
    open.length = index;
  }

  const visitor: JSONVisitor = {
    onObjectBegin: (offset) => begin({ kind: "object", members: [], span: { start: offset, end: text.length } }),
    onArrayBegin: (offset) => begin({ kind: "array", items: [], span: { start: offset, end: text.length } }),
    onObjectEnd: (offset, length) => end("object", offset + length),
    onArrayEnd: (offset, length) => end("array", offset + length),
    onObjectProperty: (name, offset, length) => {
      const top = open.at(-1);
      if (top === undefined) return;
      top.name = name;
      top.nameSpan = spanOf(offset, length);
    },
    onLiteralValue: (value, offset, length) => add(scalarOf(value, text, spanOf(offset, length))),
  };
  return { visitor, root: () => root, deepest: () => deepest };
}

function scalarOf(value: unknown, text: string, span: Span): JsonNode {
  if (typeof value === "string") return { kind: "string", text: value, span };
  if (typeof value === "number") return { kind: "number", text: text.slice(span.start, span.end), span };
  if (typeof value === "boolean") return { kind: "boolean", text: value ? "True" : "False", span };
  return { kind: "null", text: "null", span };
}
