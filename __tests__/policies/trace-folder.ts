import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { type Gateway, type GatewayConfig, loadConfig, watchConfig, type WatchOptions } from "../../src/index.ts";
import type { Trace } from "./trace.ts";
import { withTokenSchemes } from "./trace-schemes.ts";
import { fillText, type TraceValues } from "./trace-values.ts";

/** The folder that the recorded host read its configuration from. */
export type TraceFolder = Readonly<{
  load: () => Promise<GatewayConfig>;
  /** Reloads where the recorded host would have done so. */
  watch: (gateway: Gateway) => () => void;
  /** Writes files, and waits until the gateway has taken or refused them. */
  write: (files: Readonly<Record<string, string>>) => Promise<void>;
  /** Removes it; throws if anything in it is not as it was written. */
  remove: () => Promise<void>;
}>;

/** Writes the files of a trace into a folder of their own. */
export async function createTraceFolder(trace: Trace, values: TraceValues): Promise<TraceFolder> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-trace-"));
  const { files = {}, setup = {} } = trace;
  const written = new Map<string, string>();
  const paths = pathsOf(trace, folder);
  const choice = choiceOf(trace);
  let settled: () => void = () => undefined;
  await writeAll(withSchemes(files));

  return {
    load: () => loadConfig(paths, { ...choice, logger: false }),
    watch(gateway) {
      if (setup.merge?.reloadOnChange !== true) return () => undefined;
      const options: WatchOptions = { reloaded: () => settled(), failed: () => settled() };
      return watchConfig(paths, gateway, { ...choice, ...options, logger: false }).close;
    },
    async write(others) {
      const taken = setup.merge?.reloadOnChange !== true || new Promise<void>((resolve) => (settled = resolve));
      await writeAll(others);
      await taken;
    },
    async remove() {
      const names = await readdir(folder, { recursive: true, withFileTypes: true });
      const lying = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      const contents = await Promise.all(lying.map(async (path) => [path, await readFile(path, "utf8")] as const));
      await rm(folder, { recursive: true });
      const isKept = contents.length === written.size && contents.every(([path, text]) => written.get(path) === text);
      if (!isKept) throw new Error(`Something was written into the folder of ${trace.id}: ${lying.join(", ")}`);
    },
  };

  async function writeAll(others: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(others)) {
      const path = join(folder, name);
      written.set(path, fillText(text, values));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, fillText(text, values));
    }
  }

  /** The schemes that the host had in code stand in one file: the global one, where there is one. */
  function withSchemes(all: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const home = Object.keys(all).find((name) => name === "ocelot.global.json") ?? Object.keys(all)[0];
    return Object.fromEntries(
      Object.entries(all).map(([name, text]) => [name, name === home ? withTokenSchemes(text, setup) : text]),
    );
  }
}

/** What the recorded host read: the folder, or one file of it. */
function pathsOf({ setup: { merge = {} } = {} }: Trace, folder: string): string {
  if (merge.call === "AddOcelot()") return join(folder, "ocelot.json");
  if (merge.call === "AddJsonFile") return join(folder, merge.jsonFiles![0]!);
  if (merge.folder === ".") return relative(process.cwd(), folder);
  return merge.folder === undefined ? folder : join(folder, basename(merge.folder));
}

/**
 * The recorded host left out the file of its environment, unless it added that itself, and wrote over what lay in the
 * place of the result.
 */
function choiceOf({ files = {}, setup: { env, merge = {} } = {} }: Trace): WatchOptions {
  const others = [...(merge.then ?? []), ...(merge.jsonFiles ?? []).slice(1)];
  const added = others.map((name) => name.split(".")[1])[0];
  if (merge.call === "AddOcelot()") return {};
  const names = Object.keys(files);
  const isResult = names.includes("ocelot.json") && names.some((name) => /^ocelot\..+\.json$/.test(name));
  const ignore = [...(isResult ? ["ocelot.json"] : []), "ocelot.Production.json"];
  if (merge.call === "AddJsonFile") return { environmentName: added };
  const environmentName = added ?? env;
  return environmentName === undefined ? { ignore } : { environmentName };
}
