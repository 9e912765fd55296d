import { basename } from "node:path";
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
