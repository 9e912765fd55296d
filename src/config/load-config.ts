import { refuseUnknownOptions, type OptionNames } from "../options/refuse-unknown-options.ts";
import { runAtOnce } from "../time-slices.ts";
import { fileChoiceNames } from "./files/file-choice-options.ts";
import { parseSources } from "./files/parse-sources.ts";
import { type LoadOptions, readSources } from "./files/read-sources.ts";
import type { GatewayConfig } from "./gateway-config.ts";
import { parseOptionNames } from "./parse-options.ts";

/** The names of all that {@link loadConfig} takes. */
export const loadOptionNames: OptionNames<LoadOptions> = { ...parseOptionNames, ...fileChoiceNames };

/**
 * Reads a configuration from a file, from several, or from a folder; throws one `ConfigError` that lists every problem, a
 * missing file included.
 */
export async function loadConfig(paths: string | readonly string[], options: LoadOptions = {}): Promise<GatewayConfig> {
  refuseUnknownOptions(options, loadOptionNames, "loadConfig()");
  const { sources } = await readSources(paths, options);
  return runAtOnce(parseSources(sources, options));
}
