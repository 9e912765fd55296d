import { holdsDotSegment } from "./dot-segments.ts";

/** What a path must not hold, wherever it comes from. */
type PathFault = Readonly<{
  code: "path-control-character" | "path-escape" | "path-dot-segment";
  what: string;
  isIn: (path: string) => boolean;
}>;

const controlCharacter = /[\0-\x1f\x7f]/;
const encodedControlCharacter = /%(?:[01][\da-f]|7f)/i;
const illFormedEscape = /%(?![\da-f]{2})/i;
// No byte of well-formed UTF-8 has these values, and decoders disagree about what they mean.
const overlongByte = /%(?:c[01]|f[5-9a-f])/i;

/** In order: the first that is found is told. */
export const pathFaults: readonly PathFault[] = [
  {
    code: "path-control-character",
    what: "a control character, raw or percent-encoded",
    isIn: (path) => controlCharacter.test(path) || encodedControlCharacter.test(path),
  },
  {
    code: "path-escape",
    what: "a percent sign without two hex digits, or a byte that is never part of UTF-8",
    isIn: (path) => illFormedEscape.test(path) || overlongByte.test(path),
  },
  {
    code: "path-dot-segment",
    what: "a dot segment, raw or percent-encoded, which could lead elsewhere",
    isIn: holdsDotSegment,
  },
];

/** The first of them that a path holds. */
export function findPathFault(path: string): PathFault | undefined {
  return pathFaults.find(({ isIn }) => isIn(path));
}
