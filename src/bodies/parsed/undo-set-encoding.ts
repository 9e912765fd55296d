import { Readable } from "node:stream";
import { GatewayError } from "../../errors.ts";
import { ignoreErrors, listen, listenOnce } from "../../unattended/guarded.ts";
import { readByAnother } from "./body-that-parser-has-read.ts";
import { lacksBytes } from "../with-code/lacks-bytes.ts";
import { asRefusal } from "../uploads/refused-upload.ts";

/** Encodings whose text tells every byte that it was made of. */
const lossless: ReadonlySet<string | null> = new Set<BufferEncoding>(["hex", "base64", "base64url", "latin1"]);

/**
 * The client's body as it came over the wire, also where somebody has said `setEncoding` without reading anything: text in
 * another encoding has other bytes, and another number of them.
 */
export function toWireBody(source: Readable): Readable {
  return source.readableEncoding === null ? source : createUndecoded(source);
}

/** Lets middleware say the same encoding for each part: Node would forget the half of a character that has come by then. */
export function keepEncoding(source: Readable): void {
  const setEncoding = source.setEncoding.bind(source);
  source.setEncoding = function setOtherEncoding(encoding) {
    const { readableEncoding } = new Readable().setEncoding(encoding);
    if (readableEncoding !== source.readableEncoding) setEncoding(encoding);
    return source;
  };
}

function createUndecoded(source: Readable): Readable {
  let isReading = false;
  const view = new Readable({
    read() {
      if (!isReading) startReading();
      source.resume();
    },
    destroy(error, callback) {
      // The client's connection may go on, as it does with a body that was not decoded.
      source.pause();
      callback(error);
    },
  });
  ignoreErrors(view);
  listen(source, "error", (error: Error) => view.destroy(error));
  return view;

  function startReading(): void {
    isReading = true;
    if (lacksBytes(source)) view.destroy(asRefusal(readByAnother()));
    else if (source.destroyed) view.destroy(brokeOff());
    listen(source, "data", push);
    listenOnce(source, "end", () => view.push(null));
    listenOnce(source, "close", () => {
      if (!source.readableEnded) view.destroy(brokeOff());
    });
  }

  function push(piece: Buffer | string): void {
    if (view.destroyed) return;
    const bytes = typeof piece === "string" ? encode(piece, source.readableEncoding) : piece;
    if (bytes === undefined) view.destroy(asRefusal(decoded(source.readableEncoding)));
    else if (!view.push(bytes)) source.pause();
  }
}

/** In UTF-8 every other character tells its bytes: this one stands for whatever was none. */
const replacement = "\ufffd";

function encode(text: string, encoding: BufferEncoding | null): Buffer | undefined {
  if (lossless.has(encoding)) return Buffer.from(text, encoding ?? undefined);
  return encoding === "utf8" && !text.includes(replacement) ? Buffer.from(text) : undefined;
}

function brokeOff(): Error {
  return new Error("The body of the request broke off.");
}

function decoded(encoding: BufferEncoding | null): GatewayError {
  return new GatewayError(
    "handler-misuse",
    `The body of the request cannot be sent: setEncoding(${JSON.stringify(encoding)}) has made text of it, which does not tell ` +
      "its bytes any more. Leave the encoding of a body alone that is not read here.",
  );
}
