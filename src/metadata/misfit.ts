import type { MetadataFailure } from "../errors.ts";

/** A text that does not fit a type, before it is known to which route and key it belongs. */
export class Misfit extends Error {
  readonly reason: MetadataFailure;

  constructor(reason: MetadataFailure, detail = "", cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
