import { spawn, spawnSync } from "node:child_process";
import { findFreePort } from "../find-free-port.ts";

/** A Redis in which a gateway counts. */
export type BenchRedis = Readonly<{ url: string; stop: () => void }>;

/** Starts a Redis that keeps nothing on disk; undefined where none is installed. */
export async function startRedis(): Promise<BenchRedis | undefined> {
  if (spawnSync("redis-server", ["--version"]).status !== 0) return undefined;
  const port = await findFreePort();
  const child = spawn("redis-server", ["--port", String(port), "--save", "", "--bind", "127.0.0.1"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of child.stdout) if (String(line).includes("Ready to accept connections")) break;
  return { url: `redis://127.0.0.1:${port}`, stop: () => void child.kill() };
}
