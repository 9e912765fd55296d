import type { ServerResponse } from "node:http";

type Piece = string | Uint8Array;
type Encoding = BufferEncoding | null | undefined;
type Send = (piece: Piece, encoding?: Encoding, ...rest: unknown[]) => boolean;

/** By this function Node lets every piece of a message leave, whichever `write` or `end` was called (seen in 20 to 24). */
type SendingResponse = { _send?: Send };

/**
 * What becomes of a piece: "again" sends it past whoever has begun to intercept meanwhile, too, and "behind its head" lets
 * the head leave by itself before it.
 */
type Fate = "send" | "again" | "drop" | "behind its head";

/** Decides about every piece of a response as it leaves. An answer of HTTP/2 has frames, which need none of this. */
export function interceptSending(res: ServerResponse, decide: (piece: Piece, encoding: Encoding) => Fate): void {
  const response = res as unknown as SendingResponse;
  const { _send: send } = response;
  if (send === undefined) return;
  response._send = function sendIntercepted(...sent) {
    const [piece, encoding] = sent;
    const fate = decide(piece, encoding);
    if (fate === "drop") return false;
    if (fate === "behind its head") Reflect.apply(send, res, ["", "latin1"]);
    return Reflect.apply(fate === "again" ? response._send! : send, res, sent);
  };
}
