/** Reads bytes as they come, and says whether they can still be, and in the end are, one JSON value. */
type JsonCheck = Readonly<{
  /** Takes the next bytes; false once no bytes that follow could make JSON of them. */
  take: (bytes: Uint8Array) => boolean;
  /** Whether what was taken is one whole value. */
  isWhole: () => boolean;
}>;

/** What may come next: reads one byte, and tells what may come behind it. */
type State = (byte: number, reader: Reader) => State;

/** How far a value has been read. */
type Reader = {
  readonly levels: number;
  /** The lists and objects that are open, the outermost first: whether each is an object. */
  readonly open: boolean[];
  /** Whether the text that is being read names a member. */
  isName: boolean;
  /** Between which bytes the second one of a long character stands. */
  second: Sequence;
  /** The word that is being read. */
  word: string;
  /** How many bytes of a character, an escape or a word are to come. */
  left: number;
};

/** How deeply the JSON of a part may be nested in the whole. */
export const mostLevels = 512;

/** Prepares to read one JSON value (RFC 8259) in UTF-8, nested at most so many levels deep, however it is cut into pieces. */
export function createJsonCheck(levels: number): JsonCheck {
  const reader: Reader = { levels, open: [], isName: false, second: sequences[0]!, word: "", left: 0 };
  let state: State = value;
  return { take, isWhole: () => reader.open.length === 0 && endings.has(state) };

  function take(bytes: Uint8Array): boolean {
    for (const byte of bytes) {
      // Most bytes stand in texts, and mean nothing there.
      const isPlain = state === text && byte > 0x1f && byte < 0x80 && byte !== quote && byte !== backslash;
      if (!isPlain) state = state(byte, reader);
    }
    return state !== invalid;
  }
}

const quote = codeOf('"');
const backslash = codeOf("\\");
const comma = codeOf(",");
const zeroDigit = codeOf("0");

const blanks = codesOf(" \t\r\n");
const escaped = codesOf('"\\/bfnrt');
const exponentLetters = codesOf("eE");
const signs = codesOf("+-");
const decimalDigits = codesOf("0123456789");
const hexDigits = codesOf("0123456789abcdefABCDEF");
const words: ReadonlyMap<number, string> = new Map(["true", "false", "null"].map((word) => [codeOf(word), word]));

/** Of characters of several bytes, by the greatest first one: the range of the second, and how many follow (RFC 3629). */
type Sequence = Readonly<{ upTo: number; low: number; high: number; length: number }>;

const sequences: readonly Sequence[] = [
  { upTo: 0xdf, low: 0x80, high: 0xbf, length: 1 },
  { upTo: 0xe0, low: 0xa0, high: 0xbf, length: 2 },
  { upTo: 0xec, low: 0x80, high: 0xbf, length: 2 },
  { upTo: 0xed, low: 0x80, high: 0x9f, length: 2 },
  { upTo: 0xef, low: 0x80, high: 0xbf, length: 2 },
  { upTo: 0xf0, low: 0x90, high: 0xbf, length: 3 },
  { upTo: 0xf3, low: 0x80, high: 0xbf, length: 3 },
  { upTo: 0xf4, low: 0x80, high: 0x8f, length: 3 },
];
const leastFirstByte = 0xc2;

function codeOf(character: string): number {
  return character.charCodeAt(0);
}

function codesOf(characters: string): ReadonlySet<number> {
  return new Set(Buffer.from(characters));
}

const invalid: State = () => invalid;

const value: State = (byte, reader) => {
  if (blanks.has(byte)) return value;
  if (byte === quote) return beginText(reader, false);
  if (byte === codeOf("{")) return enter(reader, true);
  if (byte === codeOf("[")) return enter(reader, false);
  if (byte === codeOf("-")) return firstDigit;
  if (decimalDigits.has(byte)) return firstDigit(byte, reader);
  return beginWord(byte, reader);
};

function enter({ open, levels }: Reader, isObject: boolean): State {
  if (open.length >= levels) return invalid;
  open.push(isObject);
  return isObject ? firstName : firstItem;
}

function leave({ open }: Reader, isObject: boolean): State {
  return open.pop() === isObject ? behind : invalid;
}

const behind: State = (byte, reader) => {
  if (blanks.has(byte)) return behind;
  if (byte === codeOf("}")) return leave(reader, true);
  if (byte === codeOf("]")) return leave(reader, false);
  const innermost = reader.open.at(-1);
  if (byte !== comma || innermost === undefined) return invalid;
  return innermost ? name : value;
};

const firstItem: State = (byte, reader) => {
  if (blanks.has(byte)) return firstItem;
  return byte === codeOf("]") ? leave(reader, false) : value(byte, reader);
};

const firstName: State = (byte, reader) => {
  if (blanks.has(byte)) return firstName;
  return byte === codeOf("}") ? leave(reader, true) : name(byte, reader);
};

const name: State = (byte, reader) => {
  if (blanks.has(byte)) return name;
  return byte === quote ? beginText(reader, true) : invalid;
};

const colon: State = (byte) => {
  if (blanks.has(byte)) return colon;
  return byte === codeOf(":") ? value : invalid;
};

function beginText(reader: Reader, isName: boolean): State {
  reader.isName = isName;
  return text;
}

const text: State = (byte, reader) => {
  if (byte === quote) return reader.isName ? colon : behind;
  if (byte === backslash) return escape;
  if (byte < 0x80) return byte < 0x20 ? invalid : text;
  const sequence = byte < leastFirstByte ? undefined : sequences.find(({ upTo }) => byte <= upTo);
  if (sequence === undefined) return invalid;
  reader.second = sequence;
  reader.left = sequence.length;
  return secondByte;
};

const secondByte: State = (byte, reader) =>
  byte >= reader.second.low && byte <= reader.second.high ? countDown(reader, furtherByte, text) : invalid;

const furtherByte: State = (byte, reader) =>
  byte >= 0x80 && byte <= 0xbf ? countDown(reader, furtherByte, text) : invalid;

function countDown(reader: Reader, next: State, last: State): State {
  reader.left -= 1;
  return reader.left === 0 ? last : next;
}

const escape: State = (byte, reader) => {
  reader.left = 4;
  if (byte === codeOf("u")) return hexDigit;
  return escaped.has(byte) ? text : invalid;
};

const hexDigit: State = (byte, reader) => (hexDigits.has(byte) ? countDown(reader, hexDigit, text) : invalid);

function beginWord(byte: number, reader: Reader): State {
  const found = words.get(byte);
  if (found === undefined) return invalid;
  reader.word = found;
  reader.left = found.length - 1;
  return letter;
}

const letter: State = (byte, reader) => {
  const expected = reader.word.charCodeAt(reader.word.length - reader.left);
  return byte === expected ? countDown(reader, letter, behind) : invalid;
};

const firstDigit: State = (byte) => {
  if (byte === zeroDigit) return wholeNumber;
  return decimalDigits.has(byte) ? digits : invalid;
};

const digits: State = (byte, reader) => (decimalDigits.has(byte) ? digits : wholeNumber(byte, reader));

const wholeNumber: State = (byte, reader) => (byte === codeOf(".") ? firstDecimal : mantissa(byte, reader));

const firstDecimal: State = (byte) => (decimalDigits.has(byte) ? decimals : invalid);

const decimals: State = (byte, reader) => (decimalDigits.has(byte) ? decimals : mantissa(byte, reader));

const mantissa: State = (byte, reader) => (exponentLetters.has(byte) ? exponent : behind(byte, reader));

const exponent: State = (byte, reader) => (signs.has(byte) ? firstOfExponent : firstOfExponent(byte, reader));

const firstOfExponent: State = (byte) => (decimalDigits.has(byte) ? exponentDigits : invalid);

const exponentDigits: State = (byte, reader) => (decimalDigits.has(byte) ? exponentDigits : behind(byte, reader));

/** Where a value outside of all lists and objects may end. */
const endings: ReadonlySet<State> = new Set([behind, digits, wholeNumber, decimals, exponentDigits]);
