import { TextDecoder } from "node:util";
import type { ChoosePassage, Passage } from "./relay-body.ts";

/** A passage that says whether it wraps the body. */
export type WrapPassage = Passage & Readonly<{ wraps: boolean }>;

const prefix = Buffer.from('{"Response": ');
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const jsonBeginnings: ReadonlySet<number> = new Set(Buffer.from('{["-0123456789tfn'));
const blanks: ReadonlySet<number> = new Set(Buffer.from(" \t\r\n"));

// Longer white space before the first character is not waited for.
const mostBlanks = 65_536;

/** What comes behind the original body. */
export function formatSuffix(metadataJson: string): Buffer {
  return Buffer.from(`, "Metadata": ${metadataJson}}`);
}

/** Prepares the wrapping of a JSON body; one that does not begin as JSON can passes as it is. */
export function createWrapping(charset: string, suffix: Buffer): ChoosePassage<WrapPassage> {
  return function chooseWrapping(head, isWhole) {
    const decoder = charset === "utf-8" ? undefined : new TextDecoder(charset);
    const text = decoder === undefined ? withoutMark(head) : Buffer.from(decoder.decode(head, { stream: true }));
    const isJson = beginsJson(text) ?? (isWhole ? false : undefined);
    if (isJson === undefined) return undefined;
    if (!isJson) return { wraps: false, start: [head] };
    const start = [prefix, text];
    return decoder === undefined
      ? { wraps: true, start, end: () => Buffer.from(suffix) }
      : decodeWith(decoder, start, suffix);
  };
}

function decodeWith(decoder: TextDecoder, start: readonly Buffer[], suffix: Buffer): WrapPassage {
  return {
    wraps: true,
    start,
    pass: (chunk) => Buffer.from(decoder.decode(chunk, { stream: true })),
    end: () => Buffer.concat([Buffer.from(decoder.decode()), suffix]),
  };
}

/** Half a mark counts as nothing yet. */
function withoutMark(head: Buffer): Buffer {
  const length = Math.min(head.length, byteOrderMark.length);
  return head.compare(byteOrderMark, 0, length, 0, length) === 0 ? head.subarray(length) : head;
}

/** Undefined while there are only blanks. */
function beginsJson(text: Buffer): boolean | undefined {
  const first = text.find((byte) => !blanks.has(byte));
  if (first !== undefined) return jsonBeginnings.has(first);
  return text.length > mostBlanks ? false : undefined;
}
