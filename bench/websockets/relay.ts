import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { RelayUsage } from "./relay-process.ts";

/** A relay that is up. */
export type Relay = Readonly<{ port: number; usage: () => Promise<RelayUsage>; stop: () => void }>;

const script = fileURLToPath(new URL("relay-process.ts", import.meta.url));

/** Starts a relay in a process of its own. */
export async function startRelay(name: string, upstreamPort = 0): Promise<Relay> {
  const flags = ["--expose-gc", ...(process.env.BENCH_FLAGS ?? "").split(" ").filter((flag) => flag !== "")];
  const child = spawn(process.execPath, [...flags, script, name, String(upstreamPort)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return {
    port,
    async usage() {
      const answer = once(child, "message");
      child.send("usage");
      const [used] = (await answer) as [RelayUsage];
      return used;
    },
    stop: () => child.disconnect(),
  };
}
