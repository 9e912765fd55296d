import fc from "fast-check";

const firstSurrogate = 0xd800;
const surrogates = 0x800;
const highest = 0x10ffff;

/** Every character of Unicode: what `unit: "binary"` means, without the table of all of them, which takes most of a second. */
const character = fc.nat(highest - surrogates).map(characterAt, indexOf);

/** Text of any characters. */
export function anyText(constraints: Readonly<{ maxLength?: number }> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: character });
}

function characterAt(index: number): string {
  return String.fromCodePoint(index < firstSurrogate ? index : index + surrogates);
}

function indexOf(text: unknown): number {
  if (typeof text !== "string" || !/^\P{Surrogate}$/su.test(text)) throw new Error("This is no character.");
  const code = text.codePointAt(0)!;
  return code < firstSurrogate ? code : code - surrogates;
}
