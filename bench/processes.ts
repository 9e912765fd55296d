import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defaultSettings, type Settings, type Usage } from "./contender.ts";
import type { Load, LoadResult } from "./load.ts";

/** A contender that is up. */
export type RunningContender = Readonly<{ port: number; usage: () => Promise<Usage>; stop: () => void }>;

const canPin = availableParallelism() > 1 && spawnSync("taskset", ["-V"]).status === 0;

/** The contender has a core for itself; target and load generator share another. */
export const pinning = canPin ? "contender on core 0, target and load generator on core 1" : "none";

type Core = "0" | "1" | undefined;

function startNode(script: string, parts: readonly string[], core: Core): ChildProcess {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const flags = script === "contender-process.ts" ? contenderFlags : [];
  const command = [process.execPath, "--disable-warning=ExperimentalWarning", ...flags, file, ...parts];
  const pinned = canPin && core !== undefined ? ["taskset", "-c", core, ...command] : command;
  return spawn(pinned[0]!, pinned.slice(1), {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, ...steadyAllocator },
  });
}

/**
 * By luck of its heap's layout glibc gives memory back to the system and takes it again at each large body, or never:
 * with a fixed threshold it is the same for all contenders, and for each of their processes.
 */
const steadyAllocator = { MALLOC_TRIM_THRESHOLD_: String(2 ** 30), MALLOC_MMAP_THRESHOLD_: String(2 ** 25) };

// For profiling: BENCH_FLAGS="--cpu-prof".
const contenderFlags = (process.env.BENCH_FLAGS ?? "").split(" ").filter((flag) => flag !== "");

async function messageOf<Message>(child: ChildProcess): Promise<Message> {
  const gone = new AbortController();
  const exit = once(child, "exit", { signal: gone.signal }).then(() =>
    Promise.reject(new Error("A process of the bench ended.")),
  );
  const message = (await Promise.race([once(child, "message"), exit])) as [Message];
  exit.catch(() => undefined);
  gone.abort();
  return message[0];
}

/** The upstream of all contenders. */
type RunningTarget = Readonly<{ port: number; morePorts: readonly number[]; stop: () => void }>;

/**
 * Starts the upstream of all contenders, as so many hosts. They are one process: if there were one for each, the system
 * would wake the contender more often, which is no cost of the contender's own.
 */
export async function startTarget(hosts = 1): Promise<RunningTarget> {
  const child = startNode("target.ts", [String(hosts)], "1");
  const { ports } = await messageOf<{ ports: readonly [number, ...number[]] }>(child);
  const [port, ...morePorts] = ports;
  return { port, morePorts, stop: () => child.disconnect() };
}

/** Starts a contender in a process of its own, or with some workers. */
export async function startContender(
  name: string,
  settings: Partial<Settings> & Pick<Settings, "upstreamPort">,
  workers = 1,
): Promise<RunningContender> {
  const all = JSON.stringify({ ...defaultSettings, ...settings });
  const child = startNode("contender-process.ts", [name, all, String(workers)], workers > 1 ? undefined : "0");
  const { port } = await messageOf<{ port: number }>(child);
  return { port, usage, stop: () => child.disconnect() };

  function usage(): Promise<Usage> {
    const answer = messageOf<Usage>(child);
    child.send("usage");
    return answer;
  }
}

/** Starts the load generator. */
export async function startLoad(): Promise<{ run: (load: Load) => Promise<LoadResult>; stop: () => void }> {
  const child = startNode("load.ts", [], "1");
  await messageOf(child);
  return { run, stop: () => child.disconnect() };

  async function run(load: Load): Promise<LoadResult> {
    const answer = messageOf<LoadResult>(child);
    child.send(load);
    const result = await answer;
    if (result.failure !== undefined) throw new Error(`${load.method} ${load.path}: ${result.failure}`);
    return result;
  }
}
