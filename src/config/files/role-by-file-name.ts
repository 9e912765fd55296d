import { basename, resolve } from "node:path";
import { environmentIn, overlayNameOf } from "./environment-names.ts";
import type { CheckedChoice } from "./file-choice-options.ts";
import type { FoundFile } from "./sources.ts";

/** What a file in a folder is by its name: a part, laid over the parts, or of an environment that was not asked for. */
export function judgeName(path: string, { environmentName, parts }: CheckedChoice): FoundFile {
  const name = basename(path);
  if (isNamed(path, parts)) return { path, role: "part", isSurelyPart: true };
  if (environmentName !== undefined && name.toLowerCase() === overlayNameOf("ocelot", environmentName)) {
    return { path, role: "overlay" };
  }
  return { path, role: environmentIn(name, environmentName) === undefined ? "part" : "unasked" };
}

/** Files are named by where they are, or by their bare name. */
export function isNamed(path: string, names: readonly string[]): boolean {
  return names.some((name) => name === basename(path) || resolve(name) === resolve(path));
}
