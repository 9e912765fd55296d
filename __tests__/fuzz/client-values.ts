import fc from "fast-check";

/** Lengths around which something changes: nothing at all, a digit more, and each limit with its neighbours. */
export const lengths = [
  ...[0, 1, 2, 15, 16, 17, 127, 128, 129, 255, 256, 257],
  ...[499, 500, 1_000, 2_000, 4_095, 4_096, 4_097, 6_300, 8_000, 8_150, 8_191, 8_192, 8_193, 15_000],
];

/** What a value is made of: plain, escaped, beyond ASCII, control characters, and what separates or means something. */
export const fillings = [
  ...["a", "1", "-", ".", ",", ";", "=", "&", "/", "%41", "%2F", "%25", "%C3%A9", "%00", "%", "%zz"],
  ...["\u00e9", "\u00ff", "\t", "\u0001", "\0", "\r", " ", '"', "\\", "(a", "[", "{x}", "$&", "*", "+", "|", "~", "?"],
  ...["__proto__", "constructor.", "..", "a=1&", "a,b;c=d ", "r-", "-r", "%2e%2e%2f", "1.", "=?utf-8?"],
  ...["&%=", "&%", "&%e9%=1", "&%u0041=", "&a[", "&;", "&+", "&a=%253d", ":%22a%22:", "/a%3d", ";%"],
];

/** A value that a client sends: so many characters of one filling. */
export type ClientValue = Readonly<{ length: number; filling: string }>;

/** The text of a value. */
export function textOf({ length, filling }: ClientValue): string {
  return filling.repeat(Math.ceil(length / filling.length)).slice(0, length);
}

/** Any of these values. */
export const arbitraryValue: fc.Arbitrary<ClientValue> = fc.record({
  length: fc.constantFrom(...lengths),
  filling: fc.constantFrom(...fillings),
});
