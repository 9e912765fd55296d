import { isAbsolute, join } from "node:path";

/** A path as it can be opened: a relative path begins in the directory of the file in which it is written. */
export function resolveWrittenPath(path: string, directory: string | undefined): string {
  return directory === undefined || isAbsolute(path) ? path : join(directory, path);
}
