const decimalInteger = /^[+-]?\d+$/;

/** A base-10 integer of 64 bits; undefined for any other text. */
export function parseInt64(text: string): bigint | undefined {
  if (!decimalInteger.test(text)) return undefined;
  const value = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
