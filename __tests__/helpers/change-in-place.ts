import type { IncomingMessage } from "node:http";
import { pipeline, Transform } from "node:stream";
import type { GatewayHandler, Responder } from "../../src/index.ts";

/** Changes a piece of a body in the memory in which it comes. */
type Change = (piece: Buffer, req: IncomingMessage) => void;

/** A place in a page, as templates leave it for something of the client. */
export const gap = "@".repeat(16);

/** Writes the client's name into the gap of a page. */
export const fillGap: Change = (piece, { headers }) => {
  const at = piece.indexOf(gap);
  if (at >= 0) piece.write(String(headers["x-name"]).padEnd(gap.length, "-"), at, "latin1");
};

/** Writes over every byte for a client that has a name. */
export const mask: Change = (piece, { headers }) => {
  if (headers["x-name"] !== undefined) piece.fill("#");
};

/** Middleware that changes what is written of an answer. */
export function changingWrites(change: Change): GatewayHandler {
  return (req, res, next) => {
    const write = Reflect.get(res, "write");
    const end = Reflect.get(res, "end");
    const changed = (parts: unknown[]): unknown[] => {
      if (Buffer.isBuffer(parts[0])) change(parts[0], req);
      return parts;
    };
    res.write = (...parts: unknown[]) => Reflect.apply(write, res, changed(parts)) as boolean;
    res.end = (...parts: unknown[]) => Reflect.apply(end, res, changed(parts)) as typeof res;
    next();
  };
}

/** A responder that changes the pieces of an answer. */
export function changingPieces(change: Change): Responder {
  return (answer, { req }, respond) => {
    const transform = new Transform({
      transform(piece: Buffer, _encoding, done) {
        change(piece, req);
        done(null, piece);
      },
    });
    answer.body = pipeline(answer.body, transform, () => undefined);
    return respond();
  };
}
