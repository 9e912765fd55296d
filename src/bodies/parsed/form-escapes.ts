import { BodyConsumedError } from "../../errors.ts";

/** Writes a text as a form has it. */
export type EncodeText = (text: string) => string;

/** Writes a text as browsers do. */
export function formEncode(text: string): string {
  return unchanged.test(text) ? text : new URLSearchParams([["", text]]).toString().slice(1);
}

const unchanged = /^[\w*.-]*$/;

/** Writes one in which a parser has left all escapes, since some of them are no UTF-8, with these escapes. */
export function formEncodeUnread(text: string): string {
  const encoded = formEncode(text);
  return escape.test(text) && !isReadable(text) ? encoded.replaceAll("%25", "%") : encoded;
}

const escape = /%[\da-f]{2}/i;

function isReadable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether a form, as it is written, holds what some parsers put in the place of what they cannot read. */
export function holdsEscapedReplacement(written: string): boolean {
  return written.includes("%EF%BF%BD");
}

/** The error for a form of which nobody can tell any more how it came. */
export function escapesLost(): BodyConsumedError {
  return new BodyConsumedError(
    "body-consumed",
    "Middleware before the gateway has read a form in which some escapes or bytes are no UTF-8, such as %FC, and what it has made " +
      "of them does not tell what they were. Put that middleware behind the gateway, keep the bytes in req.rawBody, or set " +
      "req.body to a Buffer.",
  );
}
