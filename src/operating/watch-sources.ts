import { join } from "node:path";
import { checkFileChoice } from "../config/files/file-choice-options.ts";
import { findFiles } from "../config/files/find-files.ts";
import type { LoadOptions } from "../config/files/read-sources.ts";
import { patienceForOne, patienceForSeveral } from "./wait-until-files-settle.ts";
import { type FileChange, type FileWatcher, type Found, watchFiles } from "./watch-files.ts";

/** What is watched, and how often it is looked at where the file system tells nothing. */
type WatchedSources = Readonly<{
  paths: string | readonly string[];
  options: LoadOptions;
  /** Milliseconds. */
  interval: number;
}>;

/** Calls back at the start, and whenever what a configuration is made of has changed and stays as it is for a moment. */
export function watchSources(
  { paths, options, interval }: WatchedSources,
  changed: (change: FileChange) => Promise<void>,
): FileWatcher {
  const choice = checkFileChoice(options);
  const given = typeof paths === "string" ? [paths] : paths;
  return watchFiles({ find, interval }, changed);

  async function find(): Promise<Found> {
    const { files, folders } = await findFiles(given, choice).catch(() => ({ files: [], folders: given }));
    const isOne = files.length === 1 && folders.length === 0 && choice.environmentName === undefined;
    return {
      paths: files.map(({ path }) => path),
      // What lies in a folder may be anything yet.
      places: folders.map((folder) => join(folder, "ocelot.json")),
      patience: isOne ? patienceForOne : patienceForSeveral,
    };
  }
}
