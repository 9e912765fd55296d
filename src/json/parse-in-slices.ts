import type { Steps } from "../time-slices.ts";
import { type Block, findBlocks, type JsonBounds, type JsonFault, type Piece } from "./find-blocks.ts";
import { setMember } from "./json-object.ts";

/** The value of a text, or why there is none. */
export type ParsedJson = Readonly<{ value: unknown }> | Readonly<{ fault: JsonFault }>;

/** How a text is parsed, and what it may come to. */
type ParsingSettings = JsonBounds & Readonly<{ parse?: (text: string) => unknown }>;

/**
 * Parses JSON as `JSON.parse` does, but so that it can be put down: a long text is parsed piece by piece. Nothing of the
 * text is told of one that is none.
 */
export function* parseInSlices(text: string, { parse = JSON.parse, ...bounds }: ParsingSettings): Steps<ParsedJson> {
  const found = yield* findBlocks(text, bounds);
  if ("fault" in found) return found;
  const { root } = found;
  try {
    if (root === undefined) return { value: parse(text) };
    if (!isBlank(text.slice(0, root.start)) || !isBlank(text.slice(root.end + 1))) return { fault: "form" };
    return { value: yield* build(root) };
  } catch (error) {
    if (error instanceof SyntaxError) return { fault: "form" };
    throw error;
  }

  function* build({ isList, pieces }: Block): Steps<unknown> {
    const list: unknown[] = [];
    const object: Record<string, unknown> = {};
    for (const piece of pieces) {
      yield;
      if (piece.block !== undefined) {
        const name = nameBefore(piece, piece.block, isList);
        const value = yield* build(piece.block);
        if (name === undefined) list.push(value);
        else setMember(object, name, value);
        continue;
      }
      const inner = text.slice(piece.from, piece.to);
      // There is nothing between two commas, or behind the last one.
      if (pieces.length > 1 && isBlank(inner)) throw new SyntaxError();
      if (isList) for (const value of parse(`[${inner}]`) as unknown[]) list.push(value);
      else for (const [name, value] of Object.entries(parse(`{${inner}}`) as object)) setMember(object, name, value);
    }
    return isList ? list : object;
  }

  /** The name of a member that is long; undefined in a list. */
  function nameBefore({ from, to }: Piece, { start, end }: Block, isList: boolean): string | undefined {
    const before = text.slice(from, start);
    if (!isBlank(text.slice(end + 1, to))) throw new SyntaxError();
    if (isList && isBlank(before)) return undefined;
    const [member] = isList ? [] : Object.entries(JSON.parse(`{${before}null}`) as object);
    if (member?.[1] !== null) throw new SyntaxError();
    return member[0];
  }
}

function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}
