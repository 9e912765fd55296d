const firstDigit = "HTTP/1.1 ".length;
const lastDigit = firstDigit + 2;
const headEnd = Buffer.from("\r\n\r\n");
const [cr, lf] = headEnd as unknown as readonly [number, number];
const zero = "0".charCodeAt(0);
const noColumn = -1;

/** Where the next bytes of a connection stand: in which column of a status line, behind which digits; -1 where it is no interim answer's. */
export type HeadPlace = { column: number; status: number; endSeen: number };

/** The place at which an answer begins. */
export function createHeadPlace(): HeadPlace {
  return { column: 0, status: 0, endSeen: 0 };
}

/** The next bytes are those of an answer. */
export function expectHead(place: HeadPlace): void {
  place.column = place.status = place.endSeen = 0;
}

/**
 * undici (8.12) breaks off at a `100 Continue` that nobody has asked for, and passes over a 102, which says as little.
 * Heads are followed over any number of reads, up to the first that is not interim.
 */
export function hideContinue(bytes: Buffer, place: HeadPlace): void {
  for (let index = 0; index < bytes.length && place.column !== noColumn; index += 1) {
    if (place.column <= lastDigit) readStatusLine(bytes, index, place);
    else readToEnd(bytes[index]!, place);
  }
}

function readStatusLine(bytes: Buffer, index: number, place: HeadPlace): void {
  const byte = bytes[index]!;
  if (place.column === 0 && (byte === cr || byte === lf)) return;
  if (place.column >= firstDigit) place.status = place.status * 10 + byte - zero;
  // Nearly all heads differ in the first digit: they are of no interim answer.
  place.column = place.column === firstDigit && place.status !== 1 ? noColumn : place.column + 1;
  if (place.column > lastDigit && place.status === 100) bytes[index] = zero + 2;
}

function readToEnd(byte: number, place: HeadPlace): void {
  if (byte === headEnd[place.endSeen]) place.endSeen += 1;
  else place.endSeen = byte === cr ? 1 : 0;
  if (place.endSeen === headEnd.length) expectHead(place);
}
