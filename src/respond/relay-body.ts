import { Readable } from "node:stream";
import { GatewayError, UpstreamError } from "../errors.ts";

/** What is done to the bytes of a body on their way: those that begin it, each later piece, and what comes at its end. */
export type Passage = Readonly<{ start: Buffer; pass?: (chunk: Buffer) => Buffer; end?: () => Buffer }>;

/** Chooses by the first bytes what is done to a body; undefined when more bytes are needed, which never is when they are the whole. */
export type ChoosePassage<Chosen extends Passage> = (head: Buffer, isWhole: boolean) => Chosen | undefined;

/** A body on its way, and what was chosen for it. */
export type Relayed<Chosen extends Passage> = Readonly<{ body: Readable; passage: Chosen }>;

const nothing = Buffer.alloc(0);

/** Reads a body as far as the choice needs, and hands it on changed; rejects when it breaks off before the choice. */
export function relayBody<Chosen extends Passage>(
  source: Readable,
  choose: ChoosePassage<Chosen>,
): Promise<Relayed<Chosen>> {
  return new Promise((resolve, reject) => {
    let head: Buffer = nothing;
    let passage: Chosen | undefined;
    let isEnded = false;
    const body = new Readable({
      read: () => void source.resume(),
      destroy(error, callback) {
        source.destroy();
        callback(error);
      },
    });
    // It may break off before anybody listens; the error stays in the stream until then.
    body.on("error", () => undefined);
    source.on("data", take).once("end", finish).once("error", fail).once("close", failIfOpen);
    if (source.readableEnded) finish();
    else if (source.destroyed) fail(source.errored);

    function take(piece: Buffer | string): void {
      const chunk = typeof piece === "string" ? Buffer.from(piece) : piece;
      if (passage === undefined) begin(head.length === 0 ? chunk : Buffer.concat([head, chunk]), false);
      else push(passage.pass === undefined ? chunk : passage.pass(chunk));
    }

    function begin(bytes: Buffer, isWhole: boolean): void {
      head = bytes;
      passage = choose(head, isWhole);
      if (passage === undefined) return;
      push(passage.start);
      resolve({ body, passage });
    }

    function push(chunk: Buffer): void {
      if (!body.push(chunk)) source.pause();
    }

    function finish(): void {
      isEnded = true;
      if (passage === undefined) begin(head, true);
      if (passage?.end !== undefined) body.push(passage.end());
      body.push(null);
    }

    function failIfOpen(): void {
      if (!isEnded) fail(null);
    }

    function fail(cause: Error | null): void {
      const error = cause instanceof GatewayError ? cause : brokenOff(cause);
      body.destroy(error);
      reject(error);
    }
  });
}

function brokenOff(cause: Error | null): UpstreamError {
  return new UpstreamError("upstream-reset", "The upstream closed the connection in the middle of its answer.", {
    cause,
  });
}
