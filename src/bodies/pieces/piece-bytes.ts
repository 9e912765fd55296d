import { GatewayError } from "../../errors.ts";

/** The bytes of what a stream gives; undefined for a piece that is neither bytes nor text. */
export function pieceBytes(piece: unknown): Buffer | undefined {
  if (Buffer.isBuffer(piece)) return piece;
  if (typeof piece === "string") return Buffer.from(piece);
  return ArrayBuffer.isView(piece) ? Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength) : undefined;
}

/** Describes a piece that has no bytes, for a message. */
export function describePiece(piece: unknown): string {
  return typeof piece === "object" ? "an object" : `a ${typeof piece}`;
}

/** The failure of an answer whose body gives such a piece. */
export function notBytes(piece: unknown): GatewayError {
  return new GatewayError(
    "handler-misuse",
    `The body of an answer gave a piece that is ${describePiece(piece)}. Assign a stream of bytes or of text.`,
  );
}
