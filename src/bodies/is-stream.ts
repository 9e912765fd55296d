import type { Readable } from "node:stream";
import { GatewayError } from "../errors.ts";
import { adoptRefusedBody } from "./adopt-refused-body.ts";

/** Streams of other libraries count as well. */
export function isStream(body: unknown): body is Readable {
  return typeof body === "object" && body !== null && "on" in body && typeof body.on === "function";
}

/** Refuses a body of an answer that is nothing that can be written: gives the failure of that answer. */
export function notAStream(body: unknown): GatewayError {
  adoptRefusedBody(body);
  const kind = Object.prototype.toString.call(body);
  return new GatewayError(
    "handler-misuse",
    `The body of an answer was set to ${kind}; expected a Readable, a Buffer, a text or null. ` +
      "Other sources become one by Readable.from(…) or Readable.fromWeb(…), and bytes by Buffer.from(…).",
  );
}
