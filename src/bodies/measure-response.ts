import type { ServerResponse } from "node:http";
import { listenFirst } from "../unattended/guarded.ts";
import type { WrongLength } from "./measure-sink.ts";

type Send = (piece: string | Uint8Array, encoding?: BufferEncoding | null, ...rest: unknown[]) => boolean;

/** By this function Node lets every piece of a message leave, behind whatever stands before its `write` (seen in 20 to 24). */
type SendingResponse = { _send: Send };

/**
 * Lets as many bytes of a body leave as the head of its response tells, where middleware may have changed them on the way.
 * `onWrong` has to cut the connection: what came next on it would be misread.
 */
export function measureResponse(res: ServerResponse, length: number, onWrong: (how: WrongLength) => void): void {
  const response = res as unknown as SendingResponse;
  const { _send: send } = response;
  let missing = length;
  response._send = function sendMeasured(piece, encoding, ...rest) {
    missing -= typeof piece === "string" ? Buffer.byteLength(piece, encoding ?? undefined) : piece.length;
    if (missing >= 0) return Reflect.apply(send, res, [piece, encoding, ...rest]);
    onWrong("longer");
    return false;
  };
  listenFirst(res, "finish", () => {
    if (missing > 0) onWrong("shorter");
  });
}
