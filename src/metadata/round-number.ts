import type { ScannedNumber } from "./scan-number.ts";

/** The double nearest to a scanned number. */
export function doubleOf({ digits, scale, isNegative }: ScannedNumber): number {
  const size = Number(`0.${digits}e${scale}`);
  return isNegative ? -size : size;
}

/**
 * The single nearest to a scanned number.
 * Rounding to double first goes wrong only where that lands exactly between two singles: there the text decides.
 */
export function singleOf(number: ScannedNumber): number {
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
