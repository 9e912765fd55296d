import { parseSources } from "../config/files/parse-sources.ts";
import { readSources } from "../config/files/read-sources.ts";
import { type GatewayConfig, placeOfRoute } from "../config/gateway-config.ts";
import { createSourceText } from "../config/problems/source-text.ts";
import { entriesOf } from "../explain/entries.ts";
import { runAtOnce } from "../time-slices.ts";
import type { CommandIo } from "./command.ts";
import { type ConfigValues, loadOptionsOf } from "./config-options.ts";

/** A configuration, and the line in which each of its routes begins; undefined where there is only one file. */
type ConfigWithLines = Readonly<{ config: GatewayConfig; lineOf: (index: number) => number | undefined }>;

/** Reads a configuration for a command that tells where its routes stand; throws a `ConfigError` that lists all problems. */
export async function readWithLines(
  paths: readonly string[],
  values: ConfigValues,
  io: CommandIo,
): Promise<ConfigWithLines> {
  const options = { ...loadOptionsOf(values, io), logger: false } as const;
  const { sources } = await readSources(paths, options);
  const config = runAtOnce(parseSources(sources, options));
  const texts = new Map(sources.files.map(({ path, text }) => [path, createSourceText(text)]));

  return {
    config,
    lineOf(index) {
      const { config: route, aggregate } = entriesOf(config)[index]!;
      const place = placeOfRoute(aggregate?.written ?? route);
      return place && texts.get(place.path)?.positionOf(place.offset).line;
    },
  };
}
