import type { Readable } from "node:stream";
import { ignoreErrors } from "../../unattended/guarded.ts";
import { endsWithSource, type PipedStream, pipesOf, whenReadAnew } from "./pipes-of.ts";

/**
 * What user code has piped the bodies of an exchange into, straight or by way of others: Node forgets a pipe that is over. What
 * stays open for others is none of the exchange's.
 */
export type PipedByCode = Readonly<{
  /** Watches where a body is piped. */
  follow: (body: Readable) => void;
  /**
   * Lets all that fail without ending the process, from now on: a stream that code has given is to be destroyed, and with it
   * the program whose output it is. That program's input then fails, to which nobody listens.
   */
  ignoreFailures: () => void;
}>;

/** Begins with nothing that is piped anywhere. */
export function createPipedByCode(): PipedByCode {
  const followed = new Set<PipedStream>();
  const targets = new Set<PipedStream>();
  let isIgnored = false;
  return { follow, ignoreFailures };

  function follow(source: PipedStream): void {
    if (followed.has(source)) return;
    followed.add(source);
    noteTargets(source);
    // What is only written to is piped nowhere.
    if (!("_readableState" in source)) return;
    whenReadAnew(source, () => noteTargets(source));
  }

  function noteTargets(source: PipedStream): void {
    for (const target of pipesOf(source)) {
      if (targets.has(target) || !endsWithSource(source, target)) continue;
      targets.add(target);
      if (isIgnored) ignoreErrors(target);
      follow(target);
    }
  }

  function ignoreFailures(): void {
    if (isIgnored) return;
    isIgnored = true;
    targets.forEach(ignoreErrors);
  }
}
