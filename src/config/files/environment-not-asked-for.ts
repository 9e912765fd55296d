import { basename, dirname, join } from "node:path";
import type { Finding } from "../problems/problem-list.ts";
import { environmentIn } from "./environment-names.ts";
import { type PlacedFile, findingAt } from "./file-at-offset.ts";

/** The files in a folder that are called like an environment which was not asked for. */
export function findUnasked(files: readonly PlacedFile[], environmentName: string | undefined): readonly Finding[] {
  return files.flatMap((file) => {
    if (file.role !== "unasked") return [];
    const name = basename(file.path);
    const environment = environmentIn(name, environmentName) ?? "";
    const asked =
      environmentName === undefined ? "and none was asked for" : `and ${JSON.stringify(environmentName)} was asked for`;
    const found = `${JSON.stringify(name)} is called like the environment ${JSON.stringify(environment)}, ${asked}`;
    const ways = [
      ...waysPast(file, files, environmentName ?? environment),
      `--environment ${environment} lays it over the others`,
      `--part ${asWord(name)} makes it a part of them`,
    ];
    return [findingAt(file, "file-of-environment", `${found}: ${ways.join(", ")}`)];
  });
}

/** How to leave such a file alone, and all others like it. */
function waysPast(file: PlacedFile, files: readonly PlacedFile[], environment: string): readonly string[] {
  const folder = dirname(file.path);
  const beside = files.filter(({ path }) => dirname(path) === folder);
  const names = beside.filter(({ role }) => role === "unasked").map(({ path }) => asWord(basename(path)));
  const ignore = `${names.map((name) => `--ignore ${name}`).join(" ")} ${names.length === 1 ? "passes it over" : "passes over all that nobody asked for"}`;
  const [whole, ...others] = beside.filter(({ role }) => role === "part" || role === "whole");
  if (whole === undefined || others.length > 0 || basename(whole.path).toLowerCase() !== "ocelot.json") return [ignore];
  const alone = `--environment ${asWord(environment)} ${asWord(join(folder, basename(whole.path)))}`;
  return [`${alone} reads that file and the environment's, and no other`, ignore];
}

const plainWord = /^[\w./:\\-]+$/;

/** A word of a command line. */
function asWord(text: string): string {
  return plainWord.test(text) ? text : JSON.stringify(text);
}
