import { GatewayError } from "../../errors.ts";
import { adoptRefusedBody } from "./adopt-refused-body.ts";

/** Refuses a body of an answer that is nothing that can be written: gives the failure of that answer. */
export function refuseBody(body: unknown): GatewayError {
  adoptRefusedBody(body);
  if (typeof body === "string" || Buffer.isBuffer(body) || body === null) return bodyOfHandMade(body);
  const kind = Object.prototype.toString.call(body);
  return new GatewayError(
    "handler-misuse",
    `The body of an answer was set to ${kind}; expected a Readable, a Buffer, a text or null. ` +
      "Other sources become one by Readable.from(…) or Readable.fromWeb(…), and bytes by Buffer.from(…).",
  );
}

/** What an answer that createAnswer() has made takes as its body, an object that only looks like one lacks the means to. */
function bodyOfHandMade(body: string | Buffer | null): GatewayError {
  const kind = body === null ? "null" : typeof body === "string" ? "a text" : "a Buffer";
  return new GatewayError(
    "handler-misuse",
    `The body of an answer that createAnswer() has not made is ${kind}, and can only be a Readable there. ` +
      "Make the answer with createAnswer({ status, headers, body }), which takes a Buffer, a text and null, too.",
  );
}
