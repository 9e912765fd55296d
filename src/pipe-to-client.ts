import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";

/** Pipes a body into the client's response; resolves when it is out, rejects when the source breaks off. */
export function pipeToClient(source: Readable, res: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    res.once("close", resolve);
    source.once("error", reject).once("close", rejectIfIncomplete);
    source.pipe(res);

    function rejectIfIncomplete(): void {
      // An http message that was cut off ends like any stream, but knows that it is not complete.
      const { complete = source.readableEnded } = source as Partial<IncomingMessage>;
      if (!complete) reject(new Error("The body broke off."));
    }
  });
}
