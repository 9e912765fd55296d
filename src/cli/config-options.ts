import type { GatewayConfig } from "../config/gateway-config.ts";
import { loadConfig } from "../config/load-config.ts";
import type { ParseOptions } from "../config/parse-config.ts";
import type { CommandIo, CommandOption } from "./command.ts";

/** The options of every command that reads a configuration. */
export const configOptions = {
  env: {
    type: "boolean",
    description: "Put environment variables into the texts of the file, where they say ${NAME} or ${NAME:-default}",
  },
  acknowledge: {
    type: "string",
    multiple: true,
    value: "key",
    description: "A key of Ocelot that is not there, and that you can do without",
  },
} as const satisfies Readonly<Record<string, CommandOption>>;

type ConfigValues = Readonly<{ env?: boolean | undefined; acknowledge?: readonly string[] | undefined }>;

/** How a configuration is read as the options of a command say. */
export function parseOptionsOf(
  { env = false, acknowledge = [] }: ConfigValues,
  { environment }: Pick<CommandIo, "environment">,
): Pick<ParseOptions, "environment" | "acknowledgeUnsupported"> {
  return { acknowledgeUnsupported: acknowledge, ...(env ? { environment } : {}) };
}

/** Reads a configuration for a command that only looks into it; throws a `ConfigError` that lists all problems. */
export function readConfig(file: string, values: ConfigValues, io: CommandIo): Promise<GatewayConfig> {
  return loadConfig(file, { ...parseOptionsOf(values, io), logger: false });
}
