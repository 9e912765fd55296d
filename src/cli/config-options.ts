import type { GatewayConfig } from "../config/gateway-config.ts";
import type { LoadOptions } from "../config/files/read-sources.ts";
import { loadConfig } from "../config/load-config.ts";
import type { CommandIo, CommandOption } from "./command.ts";

/** The options by which the files of a configuration are chosen. */
export const fileOptions = {
  environment: {
    type: "string",
    value: "name",
    description: "Lay the file of an environment over the others, e.g. ocelot.Production.json for Production",
  },
  ignore: {
    type: "string",
    multiple: true,
    value: "file",
    description: "A file of a folder to pass over, e.g. an ocelot.json that was generated",
  },
  part: {
    type: "string",
    multiple: true,
    value: "file",
    description: "A file of a folder that is a part, though it is named like an environment or repeats another one",
  },
} as const satisfies Readonly<Record<string, CommandOption>>;

/** The options of every command that reads a configuration. */
export const configOptions = {
  env: {
    type: "boolean",
    description: "Put environment variables into the texts of the files, where they say ${NAME} or ${NAME:-default}",
  },
  ...fileOptions,
  acknowledge: {
    type: "string",
    multiple: true,
    value: "key",
    description: "A key of Ocelot that is not there, and that you can do without",
  },
} as const satisfies Readonly<Record<string, CommandOption>>;

/** The values of these options. */
export type ConfigValues = Readonly<{
  env?: boolean | undefined;
  environment?: string | undefined;
  ignore?: readonly string[] | undefined;
  part?: readonly string[] | undefined;
  acknowledge?: readonly string[] | undefined;
}>;

/** How a configuration is loaded as the options of a command say. */
export function loadOptionsOf(
  { env = false, environment: environmentName, ignore, part: parts, acknowledge = [] }: ConfigValues,
  { environment }: Pick<CommandIo, "environment">,
): LoadOptions {
  const choice = { environmentName, ignore, parts };
  return { acknowledgeUnsupported: acknowledge, ...choice, ...(env ? { environment } : {}) };
}

/** Reads a configuration for a command that only looks into it; throws a `ConfigError` that lists all problems. */
export function readConfig(paths: readonly string[], values: ConfigValues, io: CommandIo): Promise<GatewayConfig> {
  return loadConfig(paths, { ...loadOptionsOf(values, io), logger: false });
}
