import { errorCodes } from "../errors.ts";

/** The status of an answer that the client did not get: it tells which side gave up. */
export function statusWithoutAnswer(error: string | undefined): number {
  return errorCodes[error === "closing" || error === "request-timeout" ? error : "client-gone"];
}
