import { basename, resolve } from "node:path";
import type { Finding } from "../problems/problem-list.ts";
import { environmentIn, overlayNameOf } from "./environment-names.ts";
import type { CheckedChoice } from "./file-choice.ts";
import { findingAt, type PlacedFile } from "./file-at-offset.ts";
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

/** The files in a folder that are called like an environment which was not asked for. */
export function findUnasked(files: readonly PlacedFile[], environmentName: string | undefined): readonly Finding[] {
  return files.flatMap((file) => {
    if (file.role !== "unasked") return [];
    const name = basename(file.path);
    const environment = environmentIn(name, environmentName) ?? "";
    const asked =
      environmentName === undefined ? "and none was asked for" : `and ${JSON.stringify(environmentName)} was asked for`;
    const ways = `--environment ${environment} lays it over the others, --part ${name} makes it a part of them, --ignore ${name} passes it over`;
    return [
      findingAt(
        file,
        "file-of-environment",
        `${JSON.stringify(name)} is called like the environment ${JSON.stringify(environment)}, ${asked}: ${ways}`,
      ),
    ];
  });
}
