import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What a gateway's process holds, after a collection of garbage. */
export type ProcessUsage = Readonly<{
  rss: number;
  /** Bytes of the heap and of buffers outside it. */
  heap: number;
  /** The kinds of what would keep the process alive, sockets aside. */
  handles: readonly string[];
  sockets: number;
  /** Warnings, unhandled rejections and uncaught exceptions: there must be none. */
  disturbances: readonly string[];
}>;

/** A gateway in a process of its own. */
export type GatewayProcess = Readonly<{ port: number; usage: () => Promise<ProcessUsage>; stop: () => void }>;

/** Starts a gateway that forwards everything to one port. */
export async function startGatewayProcess(upstreamPort: number, engine: string): Promise<GatewayProcess> {
  const file = fileURLToPath(new URL("gateway-process.ts", import.meta.url));
  const flags = ["--expose-gc", "--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...flags, file, String(upstreamPort), engine], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const port = await nextMessage<number>(child);
  return {
    port,
    stop: () => child.kill(),
    usage() {
      child.send("usage");
      return nextMessage<ProcessUsage>(child);
    },
  };
}

async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const [message] = (await once(child, "message")) as [Message];
  return message;
}

/** Bytes as people read them. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
