import { mayLookSecret } from "./secret-names.ts";

/** How much may still be done to find out what of a URL is secret. */
export type Effort = { left: number };

/** As much as the plain parameters of a URL take; servers mostly read a thousand of them. */
const most = 2_048;
const plain = 1;
const escaped = 3;
const escapedManyWays = 16;
/** How many characters, read in many ways, take as much as a plain piece. */
const charactersRead = 4;

const mayBeEscaped = /[%"'@\\]/;
// What may be escaped more than once, beyond ASCII, part of JSON, or before a host.
const mayBeEscapedManyWays = /%(?![013467][\da-f]|2[^257]|5[^c])|%40|["'@\\]/i;

/** What may be done for the parameters of one URL: many small ones that can be read in many ways make the most work. */
export function createEffort(): Effort {
  return { left: most };
}

/** Takes what looking at a piece of a URL takes, and tells whether there was enough left for it. */
export function canLookAt(piece: string, effort: Effort): boolean {
  effort.left -= costOf(piece);
  return !isSpent(effort);
}

/** Whether something was looked for that took more than there was. */
export function isSpent({ left }: Effort): boolean {
  return left < 0;
}

function costOf(piece: string): number {
  if (!mayBeEscaped.test(piece)) return mayLookSecret(piece) ? escaped : plain;
  return mayBeEscapedManyWays.test(piece) ? escapedManyWays + piece.length / charactersRead : escaped;
}
