import type { Readable } from "node:stream";
import { nextTurn } from "../../unattended/guarded.ts";
import { isOpenedByCode } from "./bodies-with-code.ts";
import { endQuietly } from "./end-quietly.ts";
import { isReadUnheard } from "./silence.ts";

/** Ends a body of which the gateway wants no more; what code has made of it beside is to end no process. */
export function giveUpBody(body: Readable): void {
  if (isOpenedByCode(body) || isReadUnheard(body)) endQuietly(body);
  // Old streams have no such function.
  else (body as Partial<Readable>).destroy?.();
}

/**
 * Does so in a later turn of the event loop. What a stream reads from is destroyed with it: where that goes through web
 * streams, and has been told to flow in the same turn, Node gives pieces of it all the same, which its adapter does not expect
 * any more, and throws above all code.
 */
export function giveUpInLaterTurn(body: Readable): void {
  nextTurn(() => giveUpBody(body));
}
