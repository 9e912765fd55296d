import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { overlayNameOf } from "./environment-names.ts";
import type { CheckedChoice } from "./file-choice-options.ts";
import { isNamed, judgeName } from "./role-by-file-name.ts";
import type { FoundFile } from "./sources.ts";

/** The files that some paths come to, and where others may come to lie. */
export type FoundFiles = Readonly<{
  files: readonly FoundFile[];
  passedOver: readonly string[];
  /** The folders whose files are all meant. */
  folders: readonly string[];
}>;

/** A path that leads to no file. */
export class NothingFound extends Error {
  readonly path: string;

  constructor(path: string, reason: string, cause?: unknown) {
    super(reason, { cause });
    this.path = path;
  }
}

const partName = /^ocelot\..*?\.json$/is;
const wholeName = "ocelot.json";
// SwaggerForOcelot writes the two side by side; no requests are in the latter.
const documentsName = /^ocelot\.swaggerendpoints\.json$/i;
const looksMeant = /^ocelot.*\.jsonc?$/is;

/** Finds out which files a configuration is made of; throws {@link NothingFound} where a path leads nowhere. */
export async function findFiles(paths: readonly string[], choice: CheckedChoice): Promise<FoundFiles> {
  const found: FoundFiles[] = [];
  const [only, ...others] = paths;
  for (const path of paths) {
    const isFolder = await stat(path).then((at) => at.isDirectory(), ignore);
    found.push(isFolder ? await findInFolder(path, choice) : { ...nothing, files: [{ path, role: "part" }] });
  }
  const files = found.flatMap((one) => one.files);
  const given = found.flatMap(({ files: [file], folders }) => (folders.length === 0 ? [file!.path] : []));
  const beside = await findOverlays(given, choice);
  const overlays = [...files.filter(({ role }) => role === "overlay"), ...beside];
  if (choice.environmentName !== undefined && overlays.length === 0) {
    const lacking = others.length === 0 && found[0]!.folders.length > 0 ? join(only!, "ocelot") : stemOf(only ?? "");
    throw new NothingFound(
      `${lacking}.${choice.environmentName}.json`,
      "there is no file of the environment that was asked for",
    );
  }
  return {
    files: withOverlays(files, overlays),
    passedOver: found.flatMap(({ passedOver }) => passedOver),
    folders: found.flatMap(({ folders }) => folders),
  };
}

/** Where there is nothing to lay it over, the file of the environment is the configuration. */
function withOverlays(files: readonly FoundFile[], overlays: readonly FoundFile[]): readonly FoundFile[] {
  const taken = new Set(overlays.map(({ path }) => resolve(path)));
  const beneath = files.filter(({ path }) => !taken.has(resolve(path)));
  const isBare = !beneath.some(({ role }) => role === "part" || role === "whole");
  return isBare ? overlays.map(({ path }) => ({ path, role: "part" })) : [...beneath, ...overlays];
}

const nothing: FoundFiles = { files: [], passedOver: [], folders: [] };

/** What cannot be looked at is told by whoever reads it. */
function ignore(): boolean {
  return false;
}

async function findInFolder(folder: string, choice: CheckedChoice): Promise<FoundFiles> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new NothingFound(folder, "the folder cannot be read", error);
  });
  const kept = names.sort(compareNames).filter((name) => !isNamed(join(folder, name), choice.ignore));
  const judged = kept.filter((name) => partName.test(name)).map((name) => judgeName(join(folder, name), choice));
  const isPart = judged.some(({ path, role }) => role === "part" && !documentsName.test(basename(path)));
  const wholes = kept
    .filter((name) => name.toLowerCase() === wholeName)
    .map((name) => judgeWhole(join(folder, name), choice, isPart));
  const files = [...wholes, ...judged];
  if (!files.some(({ role }) => role !== "unasked")) throw new NothingFound(folder, lackOf(judged, names));
  const passedOver = kept.filter(
    (name) => looksMeant.test(name) && !partName.test(name) && name.toLowerCase() !== wholeName,
  );
  return { files, passedOver: passedOver.map((name) => join(folder, name)), folders: [folder] };
}

/** By what they are, not by a language: the same on all machines. */
function compareNames(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function lackOf(files: readonly FoundFile[], names: readonly string[]): string {
  const expected = 'the folder has neither "ocelot.json" nor a part, which is called "ocelot.<name>.json"';
  if (files.length > 0) {
    const listed = files.map(({ path }) => JSON.stringify(basename(path))).join(", ");
    return `${expected}, only files of environments, ${listed}: --environment <name> takes one of them`;
  }
  const other = names.find((name) => name.endsWith(".json"));
  return other === undefined
    ? expected
    : `${expected}; a file of another name, such as ${JSON.stringify(other)}, is given itself`;
}

function judgeWhole(path: string, { parts }: CheckedChoice, isBesideParts: boolean): FoundFile {
  if (isNamed(path, parts)) return { path, role: "part", isSurelyPart: true };
  return { path, role: isBesideParts ? "whole" : "part" };
}

/** What lies beside files that were given one by one: `gateway.Production.json` beside `gateway.json`. */
async function findOverlays(given: readonly string[], { environmentName }: CheckedChoice): Promise<FoundFile[]> {
  if (environmentName === undefined) return [];
  const overlays = new Map<string, FoundFile>();
  for (const path of given) {
    const wanted = overlayNameOf(basename(stemOf(path)), environmentName);
    const names = await readdir(dirname(path)).catch((): string[] => []);
    for (const name of names.filter((one) => one.toLowerCase() === wanted)) {
      const lying = join(dirname(path), name);
      overlays.set(resolve(lying), { path: lying, role: "overlay" });
    }
  }
  return [...overlays.values()];
}

/** A path up to the first dot of its name. */
function stemOf(path: string): string {
  const name = basename(path);
  return join(dirname(path), name.split(".", 1)[0] ?? name);
}
