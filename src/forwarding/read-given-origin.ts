import { GatewayError } from "../errors.ts";

const originForm = /^https?:\/\/[^\s/\\?#@]+\/?$/i;

/** The origin that a handler has set, without the slash at which URLs end; throws where it says less or more. */
export function readGivenOrigin(origin: unknown): string {
  if (typeof origin === "string" && originForm.test(origin) && URL.canParse(origin)) return origin.replace(/\/$/, "");
  // The text itself stays out of logs: it may hold a password.
  throw new GatewayError(
    "handler-misuse",
    "A delegating handler has set outgoing.origin to something else than scheme, host and port; expected a text such as " +
      '"http://localhost:5001", with http or https. What else is asked for goes into outgoing.path and outgoing.headers.',
  );
}
