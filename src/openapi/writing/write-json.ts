import type { JsonObject } from "../../json/json-object.ts";
import type { Steps } from "../../time-slices.ts";
import { withAllDigits } from "../../with-all-digits.ts";

const valuesOfStep = 64;
const charactersOfPiece = 65_536;

/** Writes JSON as `JSON.stringify` does, but so that it can be put down; undefined for more bytes than that. */
export function* writeJson(root: unknown, most: number): Steps<string | undefined> {
  const pieces: Buffer[] = [];
  let [bytes, values, piece] = [0, 0, ""];
  yield* write(root);
  flush();
  return bytes > most ? undefined : Buffer.concat(pieces).toString();

  function* write(value: unknown): Steps<void> {
    if (typeof value !== "object" || value === null) {
      piece += (JSON.stringify(value, withAllDigits) as string | undefined) ?? "null";
    } else if (Array.isArray(value)) {
      yield* writeAll("[", value, (item) => ["", item]);
      piece += "]";
    } else {
      const object = value as JsonObject;
      // The members of very many as a list of pairs would take longer than all that is done between two steps.
      const names = Object.keys(object).filter((name) => object[name] !== undefined);
      yield* writeAll("{", names, (name) => [`${JSON.stringify(name)}:`, object[name]]);
      piece += "}";
    }
  }

  function* writeAll<Item>(
    opening: string,
    items: readonly Item[],
    read: (item: Item) => readonly [start: string, value: unknown],
  ): Steps<void> {
    piece += opening;
    for (const [index, item] of items.entries()) {
      const [start, value] = read(item);
      piece += index === 0 ? start : `,${start}`;
      yield* write(value);
      values += 1;
      if (values % valuesOfStep === 0) yield;
      if (piece.length > charactersOfPiece) flush();
      if (bytes > most) return;
    }
  }

  function flush(): void {
    const written = Buffer.from(piece);
    bytes += written.length;
    // What is too much is not kept on top of that.
    if (bytes <= most) pieces.push(written);
    piece = "";
  }
}
