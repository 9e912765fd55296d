import { Readable } from "node:stream";
import { GatewayError } from "../errors.ts";
import type { OutgoingRequest } from "../delegating-handler.ts";
import type { BodiesWithCode } from "../bodies/with-code/bodies-with-code.ts";
import type { Framing } from "../bodies/request-framing.ts";
import { createGivenBody } from "../bodies/with-code/request-body-of-handler.ts";
import { hopByHopHeaders } from "../headers/hop-by-hop.ts";
import { declareNoBody } from "../bodies/uploads/request-body.ts";
import { keepWhatIsThere } from "../bodies/with-code/lacks-bytes.ts";
import { toWireBody } from "../bodies/parsed/undo-set-encoding.ts";
import { readByAnother } from "../bodies/parsed/body-that-parser-has-read.ts";

/** How the body came in, that body itself, and what code has made of it. */
type ClientBody = Readonly<{
  framing: Framing;
  clientBody: OutgoingRequest["body"];
  bodiesWithCode?: BodiesWithCode | undefined;
}>;

/** Whatever a handler has set, the body is framed as it is: by its length, in chunks, or not at all. */
export function frameChangedBody(outgoing: OutgoingRequest, { framing, clientBody, bodiesWithCode }: ClientBody): void {
  const { method, headers, body } = outgoing;
  for (const name of hopByHopHeaders) delete headers[name];
  delete headers["content-length"];
  if (Buffer.isBuffer(body)) headers["content-length"] = String(body.length);
  else if (body === null) declareNoBody(method, headers);
  else if (!(body instanceof Readable)) throw notABody(body);
  else if (body === clientBody) frameClientBody(outgoing, body, framing);
  else frameGivenBody(outgoing, body, bodiesWithCode);
}

function frameGivenBody(outgoing: OutgoingRequest, body: Readable, bodies: BodiesWithCode | undefined): void {
  outgoing.body = createGivenBody(body, () => bodies?.piped?.ignoreFailures());
  if (Buffer.isBuffer(outgoing.body)) outgoing.headers["content-length"] = String(outgoing.body.length);
}

/** The client's body: where a handler reads it too, whoever comes first gets the beginning, and half of it would look whole. */
function frameClientBody(outgoing: OutgoingRequest, body: Readable, framing: Framing): void {
  if (body.errored !== null) throw body.errored;
  if (body.readableFlowing === true) throw readByAnother();
  if (body.readableEnded) {
    if (body.readableDidRead) throw readByAnother();
    // Some engines would wait for another end.
    outgoing.body = Buffer.alloc(0);
    outgoing.headers["content-length"] = "0";
    return;
  }
  if (framing.kind === "length") outgoing.headers["content-length"] = framing.text;
  keepWhatIsThere(body);
  outgoing.body = toWireBody(body);
}

function notABody(body: unknown): GatewayError {
  return new GatewayError(
    "handler-misuse",
    `A delegating handler has set outgoing.body to ${body === undefined ? "undefined" : `a ${typeof body}`}; ` +
      "expected a Buffer, a Readable or null. Text is sent as Buffer.from(text).",
  );
}
