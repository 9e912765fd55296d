import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { gatherPieces } from "../../../bodies/pieces/gather-pieces.ts";
import { rightAfter } from "../../../unattended/guarded.ts";

/** An answer that was written to nobody yet. */
export type RecordedAnswer = Readonly<{ status: number; headers: OutgoingHttpHeaders; body: Buffer }>;

/** How the recording of an answer ends. */
export type RecordingEnd = Readonly<{ answered: (answer: RecordedAnswer) => void; failed: (error: Error) => void }>;

const writeNodesHead: (...values: never[]) => unknown = Reflect.get(ServerResponse.prototype, "writeHead");
const mostBytes = 1_048_576;

/**
 * Makes a response without a connection: what is written to it is kept. It begins with what the true one has, and is of
 * the same kind, so that Express's own functions work on it.
 */
export function recordAnswer(req: IncomingMessage, like: ServerResponse, end: RecordingEnd): ServerResponse {
  const res = createLike(req, like);
  const pieces = gatherPieces();
  return Object.assign<ServerResponse, object>(res, {
    writeHead,
    write,
    end: endRecording,
    flushHeaders: ensureHead,
    destroy,
  });

  /** Node keeps headers that it is given with the status in the head alone, where nobody finds them. */
  function writeHead(status: number, ...rest: readonly unknown[]): ServerResponse {
    for (const [name, value] of readPairs(rest.at(-1))) if (value !== undefined) res.setHeader(name, value as string);
    Reflect.apply(writeNodesHead, res, [status, ...rest.filter((part) => typeof part === "string")]);
    return res;
  }

  /** Other code may have put a function of its own in the place of the one above. */
  function ensureHead(): void {
    if (!res.headersSent) res.writeHead(res.statusCode);
  }

  function write(piece: unknown, ...rest: readonly unknown[]): boolean {
    if (res.writableEnded) return false;
    ensureHead();
    keep(piece, rest);
    callBack(rest);
    return true;
  }

  function endRecording(...parts: readonly unknown[]): ServerResponse {
    if (res.writableEnded) return res;
    ensureHead();
    const [piece, ...rest] = parts.filter((part) => typeof part !== "function");
    keep(piece, rest);
    // Node has no other way to say that the end was written.
    Reflect.set(res, "finished", true);
    callBack(parts);
    rightAfter(() => void res.emit("finish"));
    end.answered({ status: res.statusCode, headers: res.getHeaders(), body: pieces.take() });
    return res;
  }

  function keep(piece: unknown, [encoding]: readonly unknown[]): void {
    const bytes = bytesOf(piece, encoding);
    if (pieces.length() + bytes.length <= mostBytes) pieces.add(bytes);
    else end.failed(new Error(`Its answer is longer than ${mostBytes} bytes.`));
  }

  function destroy(error?: unknown): ServerResponse {
    end.failed(error instanceof Error ? error : new Error("It has given up its response."));
    return res;
  }
}

function createLike(req: IncomingMessage, like: ServerResponse): ServerResponse {
  const res = new ServerResponse(req);
  Reflect.setPrototypeOf(res, Reflect.getPrototypeOf(like));
  for (const [name, value] of Object.entries(like.getHeaders())) res.setHeader(name, value!);
  res.statusCode = like.statusCode;
  return res;
}

/** The headers that Node is given with a status: an object, or a list. */
function readPairs(headers: unknown): readonly (readonly [string, unknown])[] {
  if (typeof headers !== "object" || headers === null) return [];
  return Array.isArray(headers) ? pairsOf(headers) : Object.entries(headers);
}

/** Node takes headers as pairs, or as names and values in turn. */
function pairsOf(list: readonly unknown[]): readonly (readonly [string, unknown])[] {
  if (Array.isArray(list[0])) return list as [string, unknown][];
  return list.flatMap((name, index) => (index % 2 === 0 ? [[String(name), list[index + 1]] as const] : []));
}

function callBack(parts: readonly unknown[]): void {
  const callback = parts.find((part) => typeof part === "function");
  if (callback !== undefined) rightAfter(callback as () => void);
}

function bytesOf(piece: unknown, encoding: unknown): Buffer {
  if (piece === undefined || piece === null) return Buffer.alloc(0);
  if (typeof piece !== "string") return Buffer.from(piece as Uint8Array);
  return Buffer.from(piece, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8");
}
