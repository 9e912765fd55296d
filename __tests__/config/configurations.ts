import { parseConfig } from "../../src/config/parse-config.ts";
import type { ParseOptions } from "../../src/config/parse-options.ts";
import { ConfigError } from "../../src/errors.ts";
import type { Logger } from "../../src/logging/logger.ts";

/** A route that is fine, and what is different about it. */
export function route(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    UpstreamPathTemplate: "/orders/{id}",
    DownstreamPathTemplate: "/api/{id}",
    DownstreamHostAndPorts: [{ Host: "orders.local", Port: 80 }],
    ...more,
  };
}

/** A configuration of one route that is fine, and what is different about it. */
export function one(more: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { Routes: [route(more)] };
}

/** A configuration of one route to a service, what is different about it, and its provider. */
export function service(
  more: Readonly<Record<string, unknown>> = {},
  provider: unknown = { Type: "ServiceCluster" },
): Record<string, unknown> {
  return {
    Routes: [route({ DownstreamHostAndPorts: undefined, ServiceName: "Shop/Orders", ...more })],
    GlobalConfiguration: { ServiceDiscoveryProvider: provider },
  };
}

/** A configuration of one route that is fine, and its global part. */
export function global(more: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { Routes: [route()], GlobalConfiguration: more };
}

/** The error that a configuration is refused with. */
export function refusalOf(input: unknown, options: ParseOptions = {}): ConfigError {
  try {
    parseConfig(input, { logger: false, ...options });
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("the configuration was accepted");
}

/** The codes of the warnings that a configuration starts with. */
export function warningsOf(input: unknown, options: ParseOptions = {}): string[] {
  return parseConfig(input, { logger: false, ...options }).warnings.map(({ code }) => code);
}

/** A logger that keeps its lines, and those lines. */
export function createLogBook(): Readonly<{ logger: Logger; lines: string[]; fields: object[] }> {
  const lines: string[] = [];
  const fields: object[] = [];
  const keep = (level: string) => (about: object, message: string) => {
    lines.push(`${level} ${message}`);
    fields.push(about);
  };
  const logger = { error: keep("error"), warn: keep("warn"), info: keep("info"), debug: keep("debug") };
  return { logger, lines, fields };
}
