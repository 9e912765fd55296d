import { subscribe } from "node:diagnostics_channel";
import type { EventEmitter } from "node:events";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "../../src/index.ts";

/** What a process holds at the moment. */
export type Holdings = Readonly<{
  rss: number;
  /** Bytes of the heap and of buffers outside it. */
  heap: number;
  /** The kinds of what would keep the process alive, sockets aside. */
  handles: readonly string[];
  sockets: number;
  /** The most listeners that anything of a kind has for an event, such as `socket to upstream: close`. */
  listeners: Readonly<Record<string, number>>;
}>;

/** What must not happen in a process: warnings, unhandled rejections, uncaught exceptions, errors in the log. */
export type ProcessWatch = Readonly<{ disturbances: string[]; logger: Logger; holdings: () => Holdings }>;

const longestMessage = 200;
/** More of them say nothing new, and would be what the process holds. */
const mostDisturbances = 1_000;

/** Watches this process and the sockets of the servers; to be called before the first of them opens. */
export function watchProcess(servers: () => readonly Server[]): ProcessWatch {
  const disturbances: string[] = [];
  const note = (what: string) => (thrown: unknown) => {
    if (disturbances.length < mostDisturbances) disturbances.push(`${what}: ${describe(thrown)}`);
  };
  process.on("warning", note("warning"));
  process.on("unhandledRejection", note("unhandled rejection"));
  process.on("uncaughtException", note("uncaught exception"));
  const sockets = { "socket to client": new Set<Socket>(), "socket to upstream": new Set<Socket>() };
  keepOpenOnes(sockets["socket to upstream"], "net.client.socket");
  keepOpenOnes(sockets["socket to client"], "net.server.socket");
  const ignore = () => undefined;
  const logger = { error: noteError, warn: ignore, info: ignore, debug: ignore };
  return { disturbances, logger, holdings };

  function noteError(fields: object, message: string): void {
    const { err } = fields as { err?: unknown };
    note(`logged error: ${message}`)(err ?? fields);
  }

  function holdings(): Holdings {
    for (let round = 0; round < 3; round += 1) globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    const resources = process.getActiveResourcesInfo();
    const handles = resources.filter((kind) => !kind.startsWith("TCPSocket"));
    return {
      rss,
      heap: heapUsed + external,
      handles: handles.sort(),
      sockets: resources.length - handles.length,
      listeners: Object.assign(
        mostListeners("process", [process]),
        mostListeners("server", servers()),
        ...Object.entries(sockets).map(([kind, open]) =>
          mostListeners(
            kind,
            [...open].filter(({ destroyed }) => !destroyed),
          ),
        ),
      ),
    };
  }
}

/** The message may hold a client's value, however long. */
function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return JSON.stringify(thrown);
  const { stack = "", message } = thrown;
  return stack.replace(message, () => message.slice(0, longestMessage));
}

/** Without a listener of its own on them. */
function keepOpenOnes(open: Set<Socket>, channel: string): void {
  subscribe(channel, (message) => {
    const { socket } = message as { socket: Socket };
    open.add(socket);
    for (const known of open) if (known.destroyed) open.delete(known);
  });
}

function mostListeners(kind: string, emitters: readonly EventEmitter[]): Record<string, number> {
  const most: Record<string, number> = {};
  for (const emitter of emitters) {
    for (const event of emitter.eventNames()) {
      const name = `${kind}: ${String(event)}`;
      most[name] = Math.max(most[name] ?? 0, emitter.listenerCount(event));
    }
  }
  return most;
}
