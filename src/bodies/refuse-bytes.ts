import { type ServerResponse, STATUS_CODES } from "node:http";

/**
 * Lets others answer without a body alone: with the first bytes that somebody writes, `refuse` is called, and nothing that is
 * written from then on goes out. The function that comes back lets everything pass again.
 */
export function refuseBytes(res: ServerResponse, refuse: () => void): () => void {
  const write = Reflect.get<ServerResponse, "write">(res, "write");
  const end = Reflect.get<ServerResponse, "end">(res, "end");
  let isHeld = true;
  let isRefused = false;
  res.write = writeUnlessRefused;
  res.end = endUnlessRefused;
  return release;

  function writeUnlessRefused(...parts: unknown[]): boolean {
    // Whoever pipes a stream waits after that, and does not end the response.
    return mayPass(parts) && (Reflect.apply(write, res, parts) as boolean);
  }

  function endUnlessRefused(...parts: unknown[]): ServerResponse {
    return mayPass(parts) ? (Reflect.apply(end, res, parts) as ServerResponse) : res;
  }

  function mayPass([piece]: readonly unknown[]): boolean {
    if (!isHeld) return true;
    if (isRefused || !hasBytes(piece) || isUsual(piece, res)) return !isRefused;
    isRefused = true;
    refuse();
    return false;
  }

  function release(): void {
    isHeld = false;
    // Where others have put functions of their own before these, these stay behind them.
    if (res.write === writeUnlessRefused) res.write = write;
    if (res.end === endUnlessRefused) res.end = end;
  }
}

/** Whether a body is what Express writes by itself: the text of a status, or the methods of a router's routes. */
function isUsual(piece: unknown, res: ServerResponse): boolean {
  const text = ArrayBuffer.isView(piece)
    ? Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString()
    : piece;
  return text === STATUS_CODES[res.statusCode] || text === res.getHeader("allow");
}

/** In the place of a piece a callback may stand, or nothing. */
function hasBytes(piece: unknown): boolean {
  return typeof piece === "string" ? piece !== "" : ArrayBuffer.isView(piece) && piece.byteLength > 0;
}
