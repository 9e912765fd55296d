import type { GatewayConfig } from "../../config/gateway-config.ts";
import { parseSources } from "../../config/files/parse-sources.ts";
import { readSources } from "../../config/files/read-sources.ts";
import type { Sources } from "../../config/files/sources.ts";
import type { Logger } from "../../logging/logger.ts";
import { runAtOnce } from "../../time-slices.ts";
import { requireRedis } from "./require-redis.ts";
import type { ServeSettings } from "./settings.ts";

/** A configuration and what it was read from. */
type LoadedConfig = Readonly<{ config: GatewayConfig; sources: Sources }>;

/**
 * Reads the configuration for the start: its warnings are logged, and its errors are thrown all together; so is that the
 * Redis it names cannot be used.
 */
export async function loadFirst(settings: ServeSettings, logger: Logger): Promise<LoadedConfig> {
  const { paths, load } = settings;
  const options = { ...load, logger: { ...logger, error: () => undefined } };
  const { sources } = await readSources(paths, options);
  const config = runAtOnce(parseSources(sources, options));
  await requireRedis(config, settings);
  return { config, sources };
}
