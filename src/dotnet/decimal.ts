import { Decimal as ArbitraryDecimal } from "decimal.js";

/**
 * A decimal number with the 29 digits of .NET's `decimal`, written without exponents.
 * It is a clone of decimal.js, so that nobody else's settings reach it, and its settings nobody else.
 */
export const Decimal = ArbitraryDecimal.clone({
  defaults: true,
  precision: 29,
  rounding: ArbitraryDecimal.ROUND_HALF_EVEN,
  toExpNeg: -30,
  toExpPos: 30,
});

/** An instance of {@link Decimal}. */
export type Decimal = ArbitraryDecimal;

/** Freezes a decimal of ours, digits included; decimal.js itself never changes an instance. */
export function frozenDecimal(value: Decimal): Decimal {
  Object.freeze(value.d);
  return Object.freeze(value);
}
