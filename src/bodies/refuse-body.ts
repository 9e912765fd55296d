import { GatewayError } from "../errors.ts";
import { adoptRefusedBody } from "./adopt-refused-body.ts";

/** Refuses a body of an answer that is nothing that can be written: gives the failure of that answer. */
export function refuseBody(body: unknown): GatewayError {
  adoptRefusedBody(body);
  const kind = Object.prototype.toString.call(body);
  return new GatewayError(
    "handler-misuse",
    `The body of an answer was set to ${kind}; expected a Readable, a Buffer, a text or null. ` +
      "Other sources become one by Readable.from(…) or Readable.fromWeb(…), and bytes by Buffer.from(…).",
  );
}
