import type { GatewayConfig } from "../../config/gateway-config.ts";
import { parseSources } from "../../config/files/parse-sources.ts";
import { readSources } from "../../config/files/read-sources.ts";
import type { Sources } from "../../config/files/sources.ts";
import type { Logger } from "../../logging/logger.ts";
import { runAtOnce } from "../../time-slices.ts";
import type { ServeSettings } from "./settings.ts";

/** A configuration and what it was read from. */
export type LoadedConfig = Readonly<{ config: GatewayConfig; sources: Sources }>;

/** Reads the configuration for the start: its warnings are logged, and its errors are thrown all together. */
export async function loadFirst({ paths, load }: ServeSettings, logger: Logger): Promise<LoadedConfig> {
  const options = { ...load, logger: { ...logger, error: () => undefined } };
  const { sources } = await readSources(paths, options);
  return { config: runAtOnce(parseSources(sources, options)), sources };
}
