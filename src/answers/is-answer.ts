import type { UpstreamResponse } from "../delegating-handler.ts";
import { GatewayError } from "../errors.ts";

/** Whether code of a user's has given an answer: JavaScript lets it return anything. */
export function isAnswer(given: unknown): given is UpstreamResponse {
  return typeof given === "object" && given !== null && "status" in given;
}

/** What code is refused with that has given no answer; `code` names it, and the remedy says what it returns instead. */
export function noAnswer(code: string, given: unknown, remedy: string): GatewayError {
  return new GatewayError("handler-misuse", `${code} returned ${describe(given)}; expected an answer: ${remedy}`);
}

function describe(given: unknown): string {
  if (given === undefined || given === null) return String(given);
  return typeof given === "object" ? "an object without a status" : `a ${typeof given}`;
}
