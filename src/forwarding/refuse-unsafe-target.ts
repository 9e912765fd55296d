import { RequestError } from "../errors.ts";
import { holdsDotSegment } from "../urls/dot-segments.ts";
import { findPathFault } from "../urls/path-faults.ts";
import { pathOf } from "../urls/path-and-query.ts";

const visibleTarget = /^\/[!-"$-~]*$/;
/** Refuses a finished target that is not what an upstream would read as one. */
export function refuseUnsafeTarget(target: string): void {
  if (!visibleTarget.test(target)) {
    throw new RequestError("target-invalid", "The request leads to a target with characters that a URL cannot hold.");
  }
  if (holdsDotSegment(pathOf(target))) {
    throw new RequestError("path-dot-segment", "The request leads to a path with a dot segment.");
  }
}

/** Refuses a target besides whose path, with the values that were filled in, is one that no client may ask for. */
export function refuseFilledTarget(target: string): void {
  refuseUnsafeTarget(target);
  const fault = target.includes("%") ? findPathFault(pathOf(target)) : undefined;
  if (fault !== undefined) throw new RequestError(fault.code, `The request leads to a path with ${fault.what}.`);
}
