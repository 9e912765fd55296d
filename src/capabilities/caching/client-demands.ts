import { RequestError } from "../../errors.ts";
import { readDirectives } from "./cache-control.ts";
import type { Targeted } from "./changes-end-answers.ts";

/** Whether a client whose peer is trusted demands that nothing is kept of what it asks. */
export function demandsNoStore(targeted: Targeted): boolean {
  return demands(targeted, "no-store");
}

/** Whether a client whose peer is trusted wants only what nobody need be asked for. */
export function demandsCached(targeted: Targeted): boolean {
  return demands(targeted, "only-if-cached");
}

/** Refuses what a client whose peer is trusted wants only if nobody need be asked for it. */
export function refuseUncached(targeted: Targeted): void {
  if (demandsCached(targeted)) {
    throw new RequestError("not-cached", "The client wants only what is cached, and this is not.");
  }
}

function demands({ exchange, outgoing }: Targeted, name: string): boolean {
  if (!exchange.peerIsTrusted) return false;
  const { "cache-control": control } = outgoing.headers;
  // To look for a word is cheap, however long the line is; to read it is not.
  return control !== undefined && String(control).toLowerCase().includes(name) && readDirectives(control).has(name);
}
