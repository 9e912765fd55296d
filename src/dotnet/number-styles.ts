import { parseEnumText } from "./enum-text.ts";

/** .NET's `NumberStyles`: what a number's text may hold. The composites follow the single flags. */
export const numberStyles = {
  None: 0,
  AllowLeadingWhite: 1,
  AllowTrailingWhite: 2,
  AllowLeadingSign: 4,
  AllowTrailingSign: 8,
  AllowParentheses: 16,
  AllowDecimalPoint: 32,
  AllowThousands: 64,
  AllowExponent: 128,
  AllowCurrencySymbol: 256,
  AllowHexSpecifier: 512,
  AllowBinarySpecifier: 1024,
  Integer: 7,
  Number: 111,
  Float: 167,
  Currency: 383,
  Any: 511,
  HexNumber: 515,
  BinaryNumber: 1027,
} as const;

const members: ReadonlyMap<string, number> = new Map(Object.entries(numberStyles));

/** The bits of a configured `NumberStyle` (`Any`, `AllowThousands, AllowDecimalPoint`, `167`), or `undefined` where .NET would refuse it. */
export function parseNumberStyle(text: string): number | undefined {
  return parseEnumText(text, members);
}
