import { RequestError } from "../../errors.ts";

/**
 * Writes a value as JSON. Infinity, which parsers make of numbers that are too large, would be written as null: where that
 * stands it is looked for, and refused.
 */
export function writeJson(value: unknown): string | undefined {
  const text = JSON.stringify(value) as string | undefined;
  if (text?.includes("null")) JSON.stringify(value, refuseInfinity);
  return text;
}

/** Sees just what is written, as an object may have a `toJSON` that gives something else. */
function refuseInfinity(_name: string, value: unknown): unknown {
  if (value === Infinity || value === -Infinity) throw numberTooLarge();
  return value;
}

function numberTooLarge(): RequestError {
  return new RequestError(
    "body-number-too-large",
    "The body of the request was read before the gateway, and has a number that is too large to be written again.",
  );
}
