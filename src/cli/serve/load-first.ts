import type { GatewayConfig } from "../../config/gateway-config.ts";
import { readConfigText } from "../../config/load-config.ts";
import { parseConfig } from "../../config/parse-config.ts";
import type { Logger } from "../../logging/logger.ts";
import type { ServeSettings } from "./settings.ts";

/** A configuration and the text that it was read from. */
export type LoadedConfig = Readonly<{ config: GatewayConfig; text: string }>;

/** Reads the configuration for the start: its warnings are logged, and its errors are thrown all together. */
export async function loadFirst({ file, parse }: ServeSettings, logger: Logger): Promise<LoadedConfig> {
  const options = { ...parse, file, logger: { ...logger, error: () => undefined } };
  const text = await readConfigText(file, options);
  return { config: parseConfig(text, options), text };
}
