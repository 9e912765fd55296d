import { Decimal, frozenDecimal } from "../../../dotnet/decimal.ts";
import { numberStyles } from "../../../dotnet/number-styles.ts";
import { trimWhiteSpace } from "../../../dotnet/white-space.ts";
import { foldCase } from "../../../dotnet/fold-case.ts";
import { Misfit } from "../metadata-error.ts";
import { type NumberConventions, type ScannedNumber, scanNumber } from "./scan-number.ts";

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
function requireDecimalStyle({ numberStyle }: NumberConventions): void {
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

/** The double nearest to a scanned number. */
function doubleOf({ digits, scale, isNegative }: ScannedNumber): number {
  const size = Number(`0.${digits}e${scale}`);
  return isNegative ? -size : size;
}

/**
 * The single nearest to a scanned number.
 * Rounding to double first goes wrong only where that lands exactly between two singles: there the text decides.
 */
function singleOf(number: ScannedNumber): number {
  const double = doubleOf({ ...number, isNegative: false });
  const nearest = Math.fround(double);
  const single = nearest === double ? nearest : betterNeighbour(number, double, nearest);
  return number.isNegative ? -single : single;
}

const firstTooLarge = 2 ** 128;

function betterNeighbour(number: ScannedNumber, double: number, nearest: number): number {
  const near = Math.min(nearest, firstTooLarge);
  const other = Math.fround(near > double ? below(near) : above(near));
  const isHalfWay = Math.abs(Math.min(other, firstTooLarge) - double) === Math.abs(near - double);
  if (!isHalfWay) return nearest;
  const order = compareToText(double, number);
  if (order === 0) return nearest; // a true tie, which Math.fround has settled to even
  return order < 0 === other > double ? other : nearest;
}

const bytes = new DataView(new ArrayBuffer(4));

function above(single: number): number {
  bytes.setFloat32(0, single);
  bytes.setUint32(0, bytes.getUint32(0) + 1);
  return bytes.getFloat32(0);
}

function below(single: number): number {
  bytes.setFloat32(0, single);
  bytes.setUint32(0, bytes.getUint32(0) - 1);
  return bytes.getFloat32(0);
}

/** Between two singles lie at most 113 significant digits: what follows the 200th only says that there is more. */
const decidingDigits = 200;

/** Compares a double that lies half way between two singles, and so is a multiple of 2^-150, with the number as written. */
function compareToText(double: number, { digits, scale }: ScannedNumber): number {
  const written = digits.length > decidingDigits ? `${digits.slice(0, decidingDigits)}1` : digits;
  const exponent = scale - written.length;
  const left = BigInt(double * 2 ** 150) * 10n ** BigInt(Math.max(0, -exponent));
  const right = (BigInt(written) << 150n) * 10n ** BigInt(Math.max(0, exponent));
  return left < right ? -1 : Number(left > right);
}
