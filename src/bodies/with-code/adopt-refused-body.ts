import type { Readable } from "node:stream";
import { watchGiven } from "./stream-of-user-code.ts";

const adopted = new WeakSet();

/**
 * Lets what was given as a body, and is none, fail later without ending the process: the code that gave it takes it for the
 * gateway's, so that nobody listens to the errors of an emitter, or to a promise that is rejected.
 */
export function adoptRefusedBody(value: unknown): void {
  if ((typeof value !== "object" && typeof value !== "function") || value === null || adopted.has(value)) return;
  adopted.add(value);
  // It has no more than `on`, and perhaps not that.
  watchGiven(value as Readable);
  if ("then" in value) Promise.resolve(value).catch(ignore);
}

function ignore(): void {
  // The code that gave it is told of its mistake by the refusal.
}
