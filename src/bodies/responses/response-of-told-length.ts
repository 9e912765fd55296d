import type { ServerResponse } from "node:http";
import { listenFirst } from "../../unattended/guarded.ts";
import { interceptSending } from "./intercept-sending.ts";
import type { WrongLength } from "../body-of-told-length.ts";

/**
 * Lets as many bytes of a body leave as the head of its response tells, where middleware may have changed them on the way.
 * `onWrong` has to cut the connection: what came next on it would be misread.
 */
export function measureResponse(res: ServerResponse, length: number, onWrong: (how: WrongLength) => void): void {
  let missing = length;
  interceptSending(res, (piece, encoding) => {
    missing -= typeof piece === "string" ? Buffer.byteLength(piece, encoding ?? undefined) : piece.length;
    if (missing >= 0) return "send";
    onWrong("longer");
    return "drop";
  });
  listenFirst(res, "finish", () => {
    if (missing > 0) onWrong("shorter");
  });
}
