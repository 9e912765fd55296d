import { basename } from "node:path";
import { findLostLock } from "../compiling/lost-locks.ts";
import { filesOf, type GatewayConfig } from "../config/gateway-config.ts";
import { GatewayError } from "../errors.ts";
import { runInSlices } from "../time-slices.ts";

/**
 * Refuses a configuration that lacks a file of the one in force, and with it a lock: the file may have been forgotten, or
 * the folder may be half written.
 */
export async function refuseLostLocks(before: GatewayConfig, after: GatewayConfig): Promise<void> {
  const read = new Set(filesOf(after));
  const missing = filesOf(before).filter((path) => !read.has(path));
  const lost = missing.length === 0 || read.size === 0 ? undefined : await runInSlices(findLostLock(before, after));
  if (lost === undefined) return;
  const files = missing.map((path) => JSON.stringify(basename(path))).join(", ");
  const found = `${files} ${missing.length === 1 ? "is" : "are"} missing, and without ${missing.length === 1 ? "it" : "them"} ${JSON.stringify(lost.route)} would lose its ${JSON.stringify(lost.lock)}`;
  throw new GatewayError(
    "reload-unlocks",
    `${found}. If that is meant, ask for the reload by hand: SIGHUP, or check() of the watcher.`,
  );
}
