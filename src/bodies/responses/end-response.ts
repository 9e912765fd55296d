import type { ServerResponse } from "node:http";
import { endMessage } from "./end-message.ts";
import { lingerWhileUploading } from "../uploads/linger-while-uploading.ts";
import { letCorkedOut } from "./let-corked-out.ts";

/** Ends the client's response, by its own function or an earlier one, with the last bytes of its body if there are any. */
export function endResponse(
  res: ServerResponse,
  last: Buffer | undefined,
  end: ServerResponse["end"] = Reflect.get<ServerResponse, "end">(res, "end"),
  toText?: (body: Buffer) => string,
): void {
  lingerWhileUploading(res);
  letCorkedOut(res, end);
  endMessage(res, last, end, toText);
}

/** Ends the client's response with a body that is all there; whoever gives it again and again may remember its text. */
export function endWith(res: ServerResponse, body: Buffer, toText?: (body: Buffer) => string): Promise<void> {
  return new Promise((resolve) => {
    endResponse(res, body, undefined, toText);
    resolve();
  });
}
