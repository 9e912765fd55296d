import {
  foldedDepth,
  maximumDepth,
  textNode,
  type ItemReader,
  type JsonMember,
  type JsonNode,
  type Span,
} from "./json-node.ts";
import type { JsonVisitor } from "./walk-json.ts";

/** A bracket that is open. */
export type OpenBracket = Readonly<{ kind: "object" | "array"; span: Span }>;

/** The same, and what goes into it. */
type FillingBracket =
  | { kind: "object"; members: JsonMember[]; span: MutableSpan; name: string | undefined; nameSpan: Span | undefined }
  | { kind: "array"; items: JsonNode[]; span: MutableSpan };

type MutableSpan = { start: number; end: number };

/** Which part of a text becomes a tree: where it begins in the whole, and what reads and folds the items of its lists. */
type TreePart = Readonly<{ text: string; start: number; readText?: TextReader | undefined; folding?: Folding }>;

/** Changes a text as it becomes part of the tree; told where it stands. */
export type TextReader = (text: string, span: Span) => string;

/**
 * What happens to an item of a list: it is read at once, and read again from the text where it is asked for once more.
 */
type Folding = Readonly<{ readItem: ItemReader; unfold: (span: Span) => readonly JsonMember[] }>;

/** Builds nodes as a parser walks through a text. */
type TreeBuilder = Readonly<{
  visitor: Omit<JsonVisitor, "failed">;
  root(): JsonNode | undefined;
  /** The innermost bracket that is open now. */
  innermost(): OpenBracket | undefined;
  deepest(): number;
}>;

/** Thrown where brackets are nested too deep to go on. */
export class TooDeep extends Error {}

/** A builder that needs no recursion, and whose nodes keep only what is asked for later. */
export function createTreeBuilder({ text, start: base, readText, folding }: TreePart): TreeBuilder {
  let root: JsonNode | undefined;
  let deepest = 0;
  const fold = folding && createFold(folding);
  const open: FillingBracket[] = [];

  function add(node: JsonNode): void {
    const top = open.at(-1);
    if (top === undefined) root ??= node;
    else if (top.kind === "array") top.items.push(node);
    else addMember(top, node);
  }

  function begin(kind: FillingBracket["kind"], offset: number): void {
    deepest = base + offset;
    if (open.length >= maximumDepth) throw new TooDeep();
    // Broken text may leave brackets open: whatever stays open reaches to the end of the text.
    const span = { start: base + offset, end: base + text.length };
    const bracket: FillingBracket =
      kind === "array" ? { kind, items: [], span } : { kind, members: [], span, name: undefined, nameSpan: undefined };
    add(bracket);
    open.push(bracket);
  }

  function end(kind: FillingBracket["kind"], end: number): void {
    const index = open.findLastIndex((bracket) => bracket.kind === kind);
    if (index === -1) return;
    open[index]!.span.end = base + end;
    open.length = index;
    if (kind === "object" && fold !== undefined && open.length === foldedDepth) foldLast(open, fold);
  }

  const visitor: TreeBuilder["visitor"] = {
    opened: begin,
    closed: (kind, offset, length) => end(kind, offset + length),
    named(name, offset, length) {
      const top = open.at(-1);
      if (top?.kind !== "object") return;
      top.name = name;
      top.nameSpan = { start: base + offset, end: base + offset + length };
    },
    valued(value, offset, length) {
      const span = { start: base + offset, end: base + offset + length };
      if (typeof value === "string") add(textNode(value, readText === undefined ? value : readText(value, span), span));
      else add(scalarOf(value, text.slice(offset, offset + length), span));
    },
  };
  return { visitor, root: () => root, innermost: () => open.at(-1), deepest: () => deepest };
}

function addMember(object: Extract<FillingBracket, { kind: "object" }>, node: JsonNode): void {
  const { name, nameSpan } = object;
  if (name !== undefined && nameSpan !== undefined) object.members.push({ name, nameSpan, node });
  object.name = undefined;
}

/** Reads an item of a list, and makes what stays of it. */
type Fold = (item: JsonNode, listName: string, index: number) => JsonNode;

function createFold({ readItem, unfold }: Folding): Fold {
  // One accessor for all items: with one of its own each would get a hidden class of its own.
  const folded = {
    get members() {
      return unfold((this as unknown as JsonNode).span);
    },
  };
  return function foldItem(item, listName, index) {
    readItem(item, listName, index);
    return { __proto__: folded, kind: "object", span: item.span } as unknown as JsonNode;
  };
}

function foldLast([outer, list]: readonly FillingBracket[], fold: Fold): void {
  if (outer?.kind !== "object" || list?.kind !== "array") return;
  const index = list.items.length - 1;
  list.items[index] = fold(list.items[index]!, outer.members.at(-1)!.name, index);
}

function scalarOf(value: unknown, written: string, span: Span): JsonNode {
  if (typeof value === "number") return { kind: "number", text: written, span };
  if (typeof value === "boolean") return { kind: "boolean", text: value ? "True" : "False", span };
  return { kind: "null", text: "null", span };
}
