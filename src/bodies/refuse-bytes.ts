import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Readable } from "node:stream";
import { listen } from "../unattended/guarded.ts";
import { pipesOf } from "./pipes-of.ts";

/** By these functions an answer is written. */
type Writers = Pick<ServerResponse, "write" | "end" | "writeHead">;

/** The writers that responses had before anybody was refused: middleware behind may have put its own before them. */
const writers = new WeakMap<ServerResponse, Writers>();

/**
 * Lets others answer without a body alone: with the first bytes that somebody writes, `refuse` is called, and nothing that is
 * written from then on goes out. The function that comes back lets everything pass again, but for what goes through functions
 * that the refused have put before the response's own, and which may have ended for themselves.
 */
export function refuseBytes(res: ServerResponse, refuse: () => void): () => void {
  const { write, end } = writersOf(res);
  const first = writers.get(res) ?? writersOf(res);
  writers.set(res, first);
  const sources = new Set<Readable>();
  let passed = "";
  let isHeld = true;
  let isRefused = false;
  res.write = writeUnlessRefused;
  res.end = endUnlessRefused;
  const piping = listen(res, "pipe", (source: Readable) => {
    sources.add(source);
    if (isRefused && (isHeld || res.writableEnded)) letGo(source, res);
  });
  return release;

  function writeUnlessRefused(...parts: unknown[]): boolean {
    // Whoever heeds it writes nothing into the answer that takes the place of this one.
    return mayPass(parts) && (Reflect.apply(write, res, parts) as boolean);
  }

  function endUnlessRefused(...parts: unknown[]): ServerResponse {
    if (!mayPass(parts)) return res;
    // Trailers may tell as much as a body.
    if (isHeld) res.addTrailers({});
    return Reflect.apply(end, res, parts) as ServerResponse;
  }

  function mayPass([piece]: readonly unknown[]): boolean {
    if (isRefused || !isHeld || !hasBytes(piece)) return !isRefused;
    passed += textOf(piece);
    if (beginsUsual(passed, res)) return true;
    isRefused = true;
    for (const source of sources) letGo(source, res);
    refuse();
    return false;
  }

  function release(): void {
    isHeld = false;
    // What is piped into a refused answer later is let go, too.
    if (isRefused) Object.assign(res, first);
    else res.off("pipe", piping);
    // Where others have put functions of their own before these, these stay behind them.
    if (res.write === writeUnlessRefused) res.write = write;
    if (res.end === endUnlessRefused) res.end = end;
  }
}

function writersOf(res: ServerResponse): Writers {
  const get = <Name extends keyof Writers>(name: Name): Writers[Name] => Reflect.get<ServerResponse, Name>(res, name);
  return { write: get("write"), end: get("end"), writeHead: get("writeHead") };
}

/** A source whose response takes nothing would wait for ever, as a file does that stays open. It may be piped elsewhere, too. */
function letGo(source: Readable, res: ServerResponse): void {
  // Old streams have no such function.
  (source as Partial<Readable>).unpipe?.(res);
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
