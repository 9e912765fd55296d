import type { Headers } from "../delegating-handler.ts";
import { emptyRecord } from "../empty-record.ts";

/** Headers to be filled in, without inherited names. */
export function emptyHeaders(): Headers {
  return emptyRecord();
}
