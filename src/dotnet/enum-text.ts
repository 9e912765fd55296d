import { trimWhiteSpace } from "./white-space.ts";

/**
 * Reads the text of a .NET flags enumeration as `Enum.Parse` does: exact names, a comma list of names, or one whole number.
 * A number with bits that `members` does not define is refused, because .NET would fail at its first use.
 */
export function parseEnumText(text: string, members: ReadonlyMap<string, number>): number | undefined {
  const trimmed = trimWhiteSpace(text);
  if (/^[+-]?[0-9]+$/.test(trimmed)) return definedBits(Number(trimmed), members);
  let bits = 0;
  for (const name of trimmed.split(",")) {
    const member = members.get(trimWhiteSpace(name));
    if (member === undefined) return undefined;
    bits |= member;
  }
  return bits;
}

function definedBits(bits: number, members: ReadonlyMap<string, number>): number | undefined {
  const defined = [...members.values()].reduce((all, member) => all | member, 0);
  const isDefined = bits >= 0 && bits <= defined && (bits & ~defined) === 0;
  return isDefined ? bits : undefined;
}
