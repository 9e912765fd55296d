import { GatewayError } from "../errors.ts";
import { maskValues } from "./redact.ts";

/** An error of the package's own that quotes a configuration, as it may be shown; any other stays as it is. */
export function maskError(error: unknown, values: readonly string[]): unknown {
  if (!(error instanceof GatewayError) || maskValues(error.message, values) === error.message) return error;
  error.message = maskValues(error.message, values);
  if (error.stack !== undefined) error.stack = maskValues(error.stack, values);
  return error;
}
