import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Readable } from "node:stream";
import { listen } from "../../unattended/guarded.ts";
import { pipesOf } from "../with-code/pipes-of.ts";
import { givenResponse } from "./response-of-part.ts";

/** What is called with the first bytes, and whether whoever writes at the moment may write any. */
type Refusal = Readonly<{ refuse: () => void; mayWrite: () => boolean }>;

/**
 * Lets others answer without a body alone: with the first bytes that somebody writes who may not, `refuse` is called, and
 * nothing that is written from then on goes out. The function that comes back lets everything pass again, unless that has
 * happened: who has begun to write writes on, and nobody could tell that from what takes its place.
 */
export function refuseBytes(res: ServerResponse, { refuse, mayWrite }: Refusal): () => void {
  const write = Reflect.get<ServerResponse, "write">(res, "write");
  const end = Reflect.get<ServerResponse, "end">(res, "end");
  const sources = new Set<Readable>();
  let passed = "";
  let isHeld = true;
  let isRefused = false;
  res.write = writeUnlessRefused;
  res.end = endUnlessRefused;
  const piping = listen(res, "pipe", (source: Readable) => {
    sources.add(source);
    if (isRefused) letGo(source, res);
  });
  return release;

  function writeUnlessRefused(...parts: unknown[]): boolean {
    return mayPass(parts) && (Reflect.apply(write, res, parts) as boolean);
  }

  function endUnlessRefused(...parts: unknown[]): ServerResponse {
    if (!mayPass(parts)) return res;
    // Trailers may tell as much as a body.
    if (isHeld && !mayWrite()) res.addTrailers({});
    return Reflect.apply(end, res, parts) as ServerResponse;
  }

  function mayPass([piece]: readonly unknown[]): boolean {
    if (isRefused || !isHeld || !hasBytes(piece) || mayWrite()) return !isRefused;
    passed += textOf(piece);
    if (beginsUsual(passed, res)) return true;
    isRefused = true;
    for (const source of sources) letGo(source, res);
    refuse();
    return false;
  }

  function release(): void {
    if (isRefused) return;
    isHeld = false;
    res.off("pipe", piping);
    // Where others have put functions of their own before these, these stay behind them.
    if (res.write === writeUnlessRefused) res.write = write;
    if (res.end === endUnlessRefused) res.end = end;
  }
}

/** A source whose response takes nothing would wait for ever, as a file does that stays open. It may be piped elsewhere, too. */
function letGo(source: Readable, res: ServerResponse): void {
  // Old streams have no such function, nor a list of what they are piped into.
  const shown = pipesOf(source).filter((stream): stream is ServerResponse => givenResponse(stream) === res);
  for (const stream of [res, ...shown]) (source as Partial<Readable>).unpipe?.(stream);
  if (pipesOf(source).length === 0) (source as Partial<Readable>).resume?.();
}

/** Whether a body may become what Express writes by itself: the text of a status, or the methods of a router's routes. */
function beginsUsual(text: string, res: ServerResponse): boolean {
  const usual = [STATUS_CODES[res.statusCode], res.getHeader("allow")];
  return usual.some((body) => typeof body === "string" && body.startsWith(text));
}

/** In the place of a piece a callback may stand, or nothing. */
function hasBytes(piece: unknown): piece is string | NodeJS.ArrayBufferView {
  return typeof piece === "string" ? piece !== "" : ArrayBuffer.isView(piece) && piece.byteLength > 0;
}

function textOf(piece: string | NodeJS.ArrayBufferView): string {
  return typeof piece === "string"
    ? piece
    : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("latin1");
}
