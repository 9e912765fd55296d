import { numberStyles } from "../dotnet/number-styles.ts";
import { trimWhiteSpace } from "../dotnet/white-space.ts";
import { foldCase } from "./fold-case.ts";
import { Misfit } from "./misfit.ts";
import { doubleOf, singleOf } from "./round-number.ts";
import { scanNumber, type NumberConventions, type ScannedNumber } from "./scan-number.ts";

/** `double`: .NET's `double.Parse`; what is too large is infinite, and the culture's symbols for infinity and NaN count. */
export function parseDouble(text: string, conventions: NumberConventions): number {
  const number = scanFloat(text, conventions);
  return typeof number === "number" ? number : doubleOf(number);
}

/** `float`: as {@link parseDouble}, rounded once, from the text, to single precision. */
export function parseSingle(text: string, conventions: NumberConventions): number {
  const number = scanFloat(text, conventions);
  return typeof number === "number" ? number : singleOf(number);
}

/** Refuses the styles that .NET allows for integers only. */
export function requireDecimalStyle({ numberStyle }: NumberConventions): void {
  const integersOnly = numberStyles.AllowHexSpecifier | numberStyles.AllowBinarySpecifier;
  if ((numberStyle & integersOnly) !== 0) throw new Misfit("argument");
}

function scanFloat(text: string, conventions: NumberConventions): ScannedNumber | number {
  requireDecimalStyle(conventions);
  const number = scanNumber(text, conventions) ?? symbolOf(text, conventions);
  if (number === undefined) throw new Misfit("format");
  return number;
}

/** Infinity and NaN; the style has no say in them. */
function symbolOf(text: string, { culture }: NumberConventions): number | undefined {
  const word = foldCase(trimWhiteSpace(text));
  const infinity = foldCase(culture.infinity);
  const notANumber = foldCase(culture.notANumber);
  const positive = ["", ...culture.positiveSigns].map(foldCase);
  const negative = culture.negativeSigns.map(foldCase);
  if (positive.some((sign) => word === sign + infinity)) return Infinity;
  if (negative.some((sign) => word === sign + infinity)) return -Infinity;
  return [...positive, ...negative].some((sign) => word === sign + notANumber) ? NaN : undefined;
}
