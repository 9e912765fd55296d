import type { IncomingMessage, ServerResponse } from "node:http";
import zlib from "node:zlib";

/** Big numbers and repeated members: what a parser in the middle would change. */
export const original = '{"big":12345678901234567890,"twice":1,"twice":2.50,"text":"é€😀"}';

const encoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  "": (body) => body,
  identity: (body) => body,
  br: (body) => zlib.brotliCompressSync(body),
  gzip: (body) => zlib.gzipSync(body),
  "X-GZip": (body) => zlib.gzipSync(body),
  zstd: (body) => zlib.zstdCompressSync(body),
  deflate: (body) => zlib.deflateSync(body),
  "gzip, br": (body) => zlib.brotliCompressSync(zlib.gzipSync(body)),
  unheard: (body) => Buffer.concat([Buffer.from("{"), body]),
};

/** The original in every coding that an upstream of these tests speaks; the last ones are left alone by the gateway. */
export const encoded: ReadonlyMap<string, Buffer> = new Map(
  Object.entries(encoders).map(([coding, encode]) => [coding, encode(Buffer.from(original))]),
);

/** What an upstream says of the bytes it sends. */
export const describedBytes = {
  etag: '"v1"',
  "accept-ranges": "bytes",
  "content-md5": "x",
  digest: "sha-256=x",
  "content-digest": "sha-256=:x:",
  "repr-digest": "sha-256=:x:",
} as const;

/** Answers as the query says: `type`, `coding`, `status`, `framing` (`length` or `chunked`). */
export function answerOnDemand(req: IncomingMessage, res: ServerResponse): void {
  const wanted = new URL(req.url!, "http://upstream").searchParams;
  const coding = wanted.get("coding")!;
  const status = Number(wanted.get("status"));
  const body = encoded.get(coding)!;
  res.statusCode = status;
  if (wanted.get("type") !== "") res.setHeader("content-type", wanted.get("type")!);
  if (coding !== "") res.setHeader("content-encoding", coding);
  if (wanted.get("framing") === "length" && status !== 204) res.setHeader("content-length", body.length);
  for (const [name, value] of Object.entries(describedBytes)) res.setHeader(name, value);
  res.setHeader("GW-Route-Metadata", "forged");
  res.setHeader("GW-Route-Metadata-Truncated", "forged");
  res.setHeader("x-other", "kept");
  // Sent together with the body, the head would tell its length.
  res.flushHeaders();
  req.on("end", () => res.end(body)).resume();
}
