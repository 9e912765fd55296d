import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { listen } from "../../unattended/guarded.ts";

/**
 * Hands on what a process writes, in whole lines: what several processes write to one pipe is torn apart where a line is
 * longer than the pipe takes at once. Resolves when the process can write no more; half a line at the end is left out.
 */
export async function collectLines(stream: Readable, take: (lines: string) => void): Promise<void> {
  let rest = "";
  stream.setEncoding("utf8");
  listen(stream, "data", function takeWholeLines(text: string) {
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0) take(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  });
  // A process that is killed may reset its end.
  await finished(stream).catch(() => undefined);
}
