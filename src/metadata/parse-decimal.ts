import { Decimal, frozenDecimal } from "../dotnet/decimal.ts";
import { Misfit } from "./misfit.ts";
import { requireDecimalStyle } from "./parse-float.ts";
import { scanNumber, type NumberConventions } from "./scan-number.ts";

const largestMantissa = 79228162514264337593543950335n;
const largestScale = 28;
const mostDigits = 29;

/** `decimal`: .NET's `decimal.Parse`, with the largest scale whose mantissa, rounded half to even, fits in 96 bits. */
export function parseDecimal(text: string, conventions: NumberConventions): Decimal {
  requireDecimalStyle(conventions);
  const number = scanNumber(text, conventions);
  if (number === undefined) throw new Misfit("format");
  if (number.scale > mostDigits) throw new Misfit("overflow");
  const scale = Math.min(largestScale, mostDigits - number.scale);
  const sign = number.isNegative ? "-" : "";
  return frozenDecimal(new Decimal(sign + fit(number.digits, number.scale, scale)));
}

/** The number in scientific notation with at most `places` decimal places; one place fewer where that does not fit. */
function fit(digits: string, scale: number, places: number): string {
  const mantissa = roundHalfEven(digits, scale + places);
  if (mantissa <= largestMantissa) return `${mantissa}e${-places}`;
  if (places === 0) throw new Misfit("overflow");
  return fit(digits, scale, places - 1);
}

/** `0.<digits>` times ten to the power of `length`, as a whole number. */
function roundHalfEven(digits: string, length: number): bigint {
  if (length < 0) return 0n;
  const kept = BigInt(digits.slice(0, length).padEnd(length, "0"));
  const rest = digits.slice(length);
  if (rest === "" || rest < "5") return kept;
  return rest === "5" && kept % 2n === 0n ? kept : kept + 1n;
}
