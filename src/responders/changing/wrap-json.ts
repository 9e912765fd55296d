import { TextDecoder } from "node:util";
import { createMarkRemover } from "../../bodies/parsed/byte-order-mark.ts";
import type { Passage, PassageChooser } from "./change-body-by-first-bytes.ts";

/** A passage that says whether it wraps the body. */
export type WrapPassage = Passage & Readonly<{ wraps: boolean }>;

const prefix = '{"Response": ';
const jsonBeginnings: ReadonlySet<number> = new Set(Buffer.from('{["-0123456789tfn'));
const blanks: ReadonlySet<number> = new Set(Buffer.from(" \t\r\n"));

// Longer white space before the first character is not waited for.
const mostBlanks = 65_536;

/** What comes behind the original body. */
export function formatSuffix(metadataJson: string): Buffer {
  return Buffer.from(`, "Metadata": ${metadataJson}}`);
}

/** Prepares the wrapping of a JSON body; one that does not begin as JSON can passes as it is. */
export function createWrapping(charset: string, suffix: Buffer): PassageChooser<WrapPassage> {
  const decoder = charset === "utf-8" ? undefined : new TextDecoder(charset);
  const decode = decoder === undefined ? createMarkRemover() : decodingWith(decoder);
  const pieces: Buffer[] = [];
  const texts: Buffer[] = [];
  let length = 0;
  return { take, end: passUnwrapped };

  function take(piece: Buffer): WrapPassage | undefined {
    const text = decode(piece);
    pieces.push(piece);
    texts.push(text);
    length += piece.length;
    const first = text.find((byte) => !blanks.has(byte));
    if (first === undefined) return length > mostBlanks ? passUnwrapped() : undefined;
    return jsonBeginnings.has(first) ? wrap() : passUnwrapped();
  }

  function passUnwrapped(): WrapPassage {
    return { wraps: false, start: [join(pieces)] };
  }

  function wrap(): WrapPassage {
    const start = [Buffer.from(prefix), join(texts)];
    return decoder === undefined
      ? { wraps: true, start, end: () => Buffer.from(suffix) }
      : decodeWith(decoder, start, suffix);
  }
}

function join(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

function decodingWith(decoder: TextDecoder): (piece: Buffer) => Buffer {
  return (piece) => Buffer.from(decoder.decode(piece, { stream: true }));
}

function decodeWith(decoder: TextDecoder, start: readonly Buffer[], suffix: Buffer): WrapPassage {
  return {
    wraps: true,
    start,
    pass: decodingWith(decoder),
    end: () => Buffer.concat([Buffer.from(decoder.decode()), suffix]),
  };
}
