import { rewriteError } from "../logging/describe-error.ts";
import type { Logger } from "../logging/logger.ts";
import { maskValues } from "./redact.ts";

/**
 * A logger whose records hold none of the given values, wherever they come from: a route's own words, an error of the
 * system that quotes a host, or the name of a file. The values are asked for with each record, as a reload changes them.
 */
export function createMaskingLogger(logger: Logger, valuesOf: () => readonly string[]): Logger {
  const masked = (level: keyof Logger) => {
    return function logMasked(fields: object, message: string): void {
      const values = valuesOf();
      if (values.length === 0) logger[level](fields, message);
      else logger[level](maskFields(fields, values), maskValues(message, values));
    };
  };
  return { error: masked("error"), warn: masked("warn"), info: masked("info"), debug: masked("debug") };
}

function maskFields(fields: object, values: readonly string[]): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, maskField(value, values)]));
}

function maskField(value: unknown, values: readonly string[]): unknown {
  if (typeof value === "string") return maskValues(value, values);
  if (Array.isArray(value)) return value.map((one) => maskField(one, values));
  return value instanceof Error ? rewriteError(value, (text) => maskValues(text, values)) : value;
}
