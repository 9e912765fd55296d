import type { Culture, Separators } from "../../../dotnet/culture.ts";
import { numberStyles } from "../../../dotnet/number-styles.ts";

/** How a number is written: the culture, and what the style allows. */
export type NumberConventions = Readonly<{ culture: Culture; numberStyle: number }>;

/** The parts of a number's text: its size is `0.<digits>` times ten to the power of `scale`. */
export type ScannedNumber = Readonly<{
  isNegative: boolean;
  /** The significant digits, with neither leading nor trailing zeros; empty for zero. */
  digits: string;
  scale: number;
}>;

/** How far the scan has come. As in .NET, an opening parenthesis counts as a sign. */
type Scan = TextCursor & {
  isSigned: boolean;
  isNegative: boolean;
  hasOpenParenthesis: boolean;
  hasLeadingCurrency: boolean;
  currencySymbols: readonly string[];
};

const none: readonly string[] = [];

/** Reads a decimal number's text as .NET does, laxness included: `1,2,3` is 123 where groups are allowed. `undefined` is no number. */
export function scanNumber(text: string, conventions: NumberConventions): ScannedNumber | undefined {
  const { culture, numberStyle } = conventions;
  const scan: Scan = {
    text,
    position: 0,
    isSigned: false,
    isNegative: false,
    hasOpenParenthesis: false,
    hasLeadingCurrency: false,
    currencySymbols: (numberStyle & numberStyles.AllowCurrencySymbol) === 0 ? none : culture.currencySymbols,
  };
  scanPrefix(scan, conventions);
  const { whole, fraction } = scanDigits(scan, conventions);
  if (whole === "" && fraction === "") return undefined;
  const exponent = scanExponent(scan, conventions);
  scanSuffix(scan, conventions);
  if (scan.hasOpenParenthesis || !hasOnlyNulsFrom(text, scan.position)) return undefined;
  return significant(scan.isNegative, whole + fraction, whole.length + exponent);
}

/** White space, one sign or parenthesis, one currency symbol. `-kr 5` is a number, `- 5` is none where the culture has no blank there. */
function scanPrefix(scan: Scan, { culture, numberStyle }: NumberConventions): void {
  const allowsBlanks = (numberStyle & numberStyles.AllowLeadingWhite) !== 0;
  for (;;) {
    const mayBeBlank = allowsBlanks && (!scan.isSigned || scan.hasLeadingCurrency || culture.blankAfterSign);
    if (mayBeBlank && isBlankAt(scan.text, scan.position)) scan.position++;
    else if ((numberStyle & numberStyles.AllowLeadingSign) !== 0 && takeSign(scan, culture)) continue;
    else if ((numberStyle & numberStyles.AllowParentheses) !== 0 && takeOpenParenthesis(scan)) continue;
    else if (takeCurrency(scan)) scan.hasLeadingCurrency = true;
    else return;
  }
}

function scanSuffix(scan: Scan, { culture, numberStyle }: NumberConventions): void {
  const allowsBlanks = (numberStyle & numberStyles.AllowTrailingWhite) !== 0;
  for (;;) {
    if (allowsBlanks && isBlankAt(scan.text, scan.position)) scan.position++;
    else if ((numberStyle & numberStyles.AllowTrailingSign) !== 0 && takeSign(scan, culture)) continue;
    else if (!takeCloseParenthesis(scan) && !takeCurrency(scan)) return;
  }
}

function scanDigits(scan: Scan, { culture, numberStyle }: NumberConventions): { whole: string; fraction: string } {
  const { decimals, groups } = separatorsOf(scan, culture, numberStyle);
  const allowsPoint = (numberStyle & numberStyles.AllowDecimalPoint) !== 0;
  const allowsGroups = (numberStyle & numberStyles.AllowThousands) !== 0;
  let whole = takeDigits(scan);
  while (whole !== "" && allowsGroups) {
    // A decimal separator that is also a group separator is the former.
    if ((allowsPoint && standsAny(scan, decimals)) || !takeAny(scan, groups)) break;
    whole += takeDigits(scan);
  }
  if (!allowsPoint || !takeAny(scan, decimals)) return { whole, fraction: "" };
  return { whole, fraction: takeDigits(scan) };
}

/** With currencies allowed, their separators come first; the plain ones still count unless a symbol stood in front. */
function separatorsOf(scan: Scan, culture: Culture, numberStyle: number): Separators {
  if ((numberStyle & numberStyles.AllowCurrencySymbol) === 0) return culture.number;
  return scan.hasLeadingCurrency ? culture.currency : culture.either;
}

/** The exponent, or 0; an `e` that no digits follow is left to be refused. */
function scanExponent(scan: Scan, { culture, numberStyle }: NumberConventions): number {
  if ((numberStyle & numberStyles.AllowExponent) === 0 || !/[eE]/.test(scan.text.charAt(scan.position))) return 0;
  const start = scan.position++;
  const isNegative = !takeAny(scan, culture.positiveSigns) && takeAny(scan, culture.negativeSigns);
  const digits = takeDigits(scan);
  if (digits === "") scan.position = start;
  const exponent = Math.min(Number(digits), 1e9); // far out of every range, and still a safe number to add to
  return isNegative ? -exponent : exponent;
}

function significant(isNegative: boolean, text: string, scale: number): ScannedNumber {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === 0x30) start++;
  while (end > start && text.charCodeAt(end - 1) === 0x30) end--;
  return { isNegative, digits: text.slice(start, end), scale: start === end ? 0 : scale - start };
}

function takeSign(scan: Scan, culture: Culture): boolean {
  if (scan.isSigned) return false;
  const isPositive = takeAny(scan, culture.positiveSigns);
  scan.isNegative = !isPositive && takeAny(scan, culture.negativeSigns);
  scan.isSigned = isPositive || scan.isNegative;
  return scan.isSigned;
}

function takeOpenParenthesis(scan: Scan): boolean {
  if (scan.isSigned || scan.text[scan.position] !== "(") return false;
  scan.position++;
  scan.hasOpenParenthesis = true;
  scan.isNegative = true;
  scan.isSigned = true;
  return true;
}

function takeCloseParenthesis(scan: Scan): boolean {
  if (!scan.hasOpenParenthesis || scan.text[scan.position] !== ")") return false;
  scan.position++;
  scan.hasOpenParenthesis = false;
  return true;
}

/** One symbol only: after it none is looked for. */
function takeCurrency(scan: Scan): boolean {
  if (!takeAny(scan, scan.currencySymbols)) return false;
  scan.currencySymbols = none;
  return true;
}

/** A place in a text. */
type TextCursor = { readonly text: string; position: number };

/** Whether nothing, or nothing but NUL characters, follows: .NET takes those for padding. */
export function hasOnlyNulsFrom(text: string, position: number): boolean {
  for (let index = position; index < text.length; index++) if (text.charCodeAt(index) !== 0) return false;
  return true;
}

/** White space around numbers is narrower in .NET than `char.IsWhiteSpace`. */
export function isBlankAt(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

/** Takes the digits 0 to 9 at the cursor, if any. */
function takeDigits(cursor: TextCursor): string {
  const { text, position: start } = cursor;
  let end = start;
  while (text.charCodeAt(end) >= 0x30 && text.charCodeAt(end) <= 0x39) end++;
  cursor.position = end;
  return text.slice(start, end);
}

/** Takes the first of some texts that stands at the cursor, and says whether one did. */
function takeAny(cursor: TextCursor, texts: readonly string[]): boolean {
  for (const text of texts) {
    if (!standsAt(cursor, text)) continue;
    cursor.position += text.length;
    return true;
  }
  return false;
}

/** Whether one of some texts stands at the cursor. */
function standsAny(cursor: TextCursor, texts: readonly string[]): boolean {
  return texts.some((text) => standsAt(cursor, text));
}

const noBreakSpaces = "\u00a0\u202f";

/** A typed blank stands for the no-break spaces that some cultures separate groups with. */
function standsAt({ text, position }: TextCursor, expected: string): boolean {
  for (let index = 0; index < expected.length; index++) {
    const found = text[position + index];
    if (found === expected[index]) continue;
    const isTypedBlank = found === " " && noBreakSpaces.includes(expected.charAt(index));
    if (!isTypedBlank) return false;
  }
  return true;
}
