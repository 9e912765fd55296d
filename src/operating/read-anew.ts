import { parseSources } from "../config/files/parse-sources.ts";
import { type LoadOptions, rereadSources } from "../config/files/read-sources.ts";
import type { Sources } from "../config/files/sources.ts";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { runInSlices } from "../time-slices.ts";
import { refuseLostLocks } from "./refuse-lost-locks.ts";
import type { FileChange } from "./watch-files.ts";

/** Changes the text of a file before it is read; it may be asynchronous, though the option's type does not say so. */
type TransformText = (text: string) => string | Promise<string>;

/** What is read once more, and the change that is the reason; undefined where somebody asks by hand. */
type Rereading = Readonly<{
  paths: string | readonly string[];
  options: LoadOptions;
  change: FileChange | undefined;
}>;

/** Reads the files of a configuration once more; undefined where they are just being changed. */
export async function readAnew(
  { paths, options, change }: Rereading,
  transform?: TransformText,
): Promise<Sources | undefined> {
  const { sources } = await rereadSources(paths, options);
  const read = transform === undefined ? sources : await transformAll(sources, transform);
  return change === undefined || (await change.isStill()) ? read : undefined;
}

async function transformAll({ files, ...rest }: Sources, transform: TransformText): Promise<Sources> {
  const transformed: Sources["files"][number][] = [];
  for (const file of files) transformed.push({ ...file, text: await transform(file.text) });
  return { ...rest, files: transformed };
}

/** Parses them; what takes locks away because a file is missing is refused, unless somebody asks by hand. */
export async function parseAnew(
  sources: Sources,
  { options, change }: Rereading,
  inForce: GatewayConfig,
): Promise<GatewayConfig> {
  const config = await runInSlices(parseSources(sources, options));
  if (change !== undefined) await refuseLostLocks(inForce, config);
  return config;
}
