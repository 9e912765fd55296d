import { UsageError } from "./command.ts";

/** As a client sends it: what is no visible ASCII character is percent-encoded. */
export function toRequestTarget(path: string): string {
  if (!path.startsWith("/") && !/^[a-z][a-z\d+.-]*:\/\//i.test(path)) {
    throw new UsageError(`The path begins with a slash, received ${JSON.stringify(path)}.`);
  }
  return path.replace(/[^!-~]+/g, (run) => encodeURIComponent(run.toWellFormed()));
}
