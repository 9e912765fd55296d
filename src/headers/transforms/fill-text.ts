import type { Fill, FindFill } from "./placeholders.ts";

const placeholder = /\{(\w+)\}/;
const unfit = /[^\t -~\x80-\xff]/;

/** Says so where a text names a placeholder that nobody knows. */
export type TellUnknown = (name: string) => void;

/**
 * Prepares a text with placeholders; other braces are text. It gives nothing where a placeholder is not known, has
 * nothing, or has what cannot stand in a header: a client may have written part of it.
 */
export function createFillText(text: string, findFill: FindFill, tellUnknown: TellUnknown): Fill {
  // The texts between placeholders are the even ones, their names the odd ones.
  const pieces = text.split(placeholder);
  if (pieces.length === 1) return () => text;
  const parts = pieces.map((piece, index) => (index % 2 === 0 ? () => piece : findFill(piece)));
  const unknown = parts.indexOf(undefined);
  if (unknown !== -1) {
    tellUnknown(pieces[unknown]!);
    return () => undefined;
  }
  const filling = parts.filter((_part, index) => pieces[index] !== "") as readonly Fill[];
  return function fillText(exchange) {
    let filled = "";
    for (const fill of filling) {
      const value = fill(exchange);
      if (value === undefined || unfit.test(value)) return undefined;
      filled += value;
    }
    return filled;
  };
}
