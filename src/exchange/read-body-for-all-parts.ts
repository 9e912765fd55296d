import { toWireBody } from "../bodies/parsed/undo-set-encoding.ts";
import { gatherUpTo } from "../bodies/pieces/gather-up-to.ts";
import { bodyTooLarge } from "../bodies/uploads/limit-body.ts";
import { wrongRequest } from "../bodies/uploads/send-request-bytes.ts";
import type { Framing } from "../bodies/request-framing.ts";
import type { CompiledAggregate } from "../compiling/compiled-route.ts";
import type { Exchange } from "./exchange.ts";

/** The body of a request, all there, for several calls. */
export type SharedBody = Readonly<{ bytes: Buffer; framing: Framing }>;

const defaultLimit = 1024 * 1024;

/** Reads a body that several parts are to have; undefined where there is none, or where other code has read it. */
export async function takeSharedBody(whole: Exchange, { parts }: CompiledAggregate): Promise<SharedBody | undefined> {
  const { context, framing } = whole;
  const { req } = context;
  if (framing.kind === "none" || req.readableDidRead || req.readableFlowing === true) return undefined;
  const limit = Math.min(...parts.map(({ compiled }) => compiled.limits.body ?? defaultLimit));
  if (framing.kind === "length" && framing.length > limit) throw bodyTooLarge(limit);
  const bytes = await read(whole, limit);
  if (framing.kind === "length" && bytes.length !== framing.length)
    throw wrongRequest(bytes.length < framing.length ? "shorter" : "longer");
  return { bytes, framing: { kind: "length", length: bytes.length, text: String(bytes.length), isAsSent: true } };
}

async function read({ context: { req } }: Exchange, mostBytes: number): Promise<Buffer> {
  const body = toWireBody(req);
  // The connection stays: its client is told what is wrong with the body.
  const pieces = body.iterator({ destroyOnReturn: body !== req }) as AsyncIterable<Buffer>;
  const bytes = await gatherUpTo(pieces, { mostBytes });
  if (bytes === undefined) throw bodyTooLarge(mostBytes);
  return bytes;
}
