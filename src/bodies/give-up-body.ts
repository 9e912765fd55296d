import type { Readable } from "node:stream";
import { isOpenedByCode } from "./bodies-with-code.ts";
import { endQuietly } from "./end-quietly.ts";

/** Ends a body of which the gateway wants no more. */
export function giveUpBody(body: Readable): void {
  if (isOpenedByCode(body)) endQuietly(body);
  else body.destroy();
}
