import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import type { ProcessSettings } from "../../__tests__/everything-on/gateway-process.ts";
import { configEverythingOn } from "../../__tests__/everything-on/routes.ts";
import { waymarkMain } from "../../__tests__/cli/run-waymark.ts";
import { addDisturbance, type Held, openFiles, settleMilliseconds, type Subject } from "./subject.ts";

type Line = Readonly<{ level: number; pid: number; msg: string; port?: number; dropped?: number; signal?: string }>;

/** What is written of the log while it runs. */
type Log = {
  disturbances: string[];
  linesOf: Uint8Array;
  lastLine: number;
  workers: Set<number>;
  /** Resolved when the primary tells of the worker that was killed, and of no other. */
  killed: PromiseWithResolvers<void> | undefined;
};

const quietMilliseconds = 1_000;
const warnLevel = 40;
const numberInPath = /[?&]n=(\d+)/;
const flags = ["--disable-warning=ExperimentalWarning"];

/** `waymark serve` with two workers that watch their file; reloads come by the file and by SIGHUP in turns. */
export async function startServeSubject(settings: Omit<ProcessSettings, "responder">): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), "waymark-soak-"));
  const file = join(folder, "gateway.json");
  let version = 0;
  writeVersion();
  const options = ["--port", "0", "--workers", "2", "--watch", "--engine", settings.engine, "--metadata", "json"];
  const more = ["--trust-proxy", "loopback", "--health", "/healthz,/readyz", "--drain-delay", "0"];
  const child = spawn(process.execPath, [...flags, waymarkMain, "serve", file, ...options, ...more], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  const endIt = (): void => void child.kill("SIGKILL");
  process.once("exit", endIt);
  const log: Log = {
    ...{ disturbances: [], lastLine: 0, workers: new Set(), killed: undefined },
    linesOf: new Uint8Array(settings.numbers ?? 0),
  };
  const port = await readLog(child, log);
  return {
    ports: [port],
    isNamed: false,
    linesOfUnmatched: 1,
    // The time that an upload may stand still is not among its options.
    without: ["stalled upload"],
    disturbances: log.disturbances,
    reload,
    killOne,
    settle,
    hold: async () => holdingsOf(child.pid!),
    linesOf: async () => log.linesOf,
    stop,
  };

  function writeVersion(): void {
    const { upstreamPort, timeout = 5 } = settings;
    writeFileSync(`${file}.next`, JSON.stringify(configEverythingOn({ upstreamPort, timeout, version })));
    renameSync(`${file}.next`, file);
  }

  async function reload(): Promise<number> {
    version += 1;
    writeVersion();
    if (version % 2 === 0) child.kill("SIGHUP");
    return version;
  }

  async function killOne(): Promise<void> {
    const killed = Promise.withResolvers<void>();
    log.killed = killed;
    process.kill([...log.workers].at(-1)!, "SIGKILL");
    await Promise.race([killed.promise, wait(settleMilliseconds, undefined, { ref: false })]);
  }

  async function settle(): Promise<void> {
    const deadline = performance.now() + settleMilliseconds;
    while (performance.now() < Math.min(deadline, log.lastLine + quietMilliseconds)) await wait(quietMilliseconds / 10);
  }

  async function stop(): Promise<void> {
    child.kill("SIGTERM");
    const [code, signal] = (await ended) as [number | null, string | null];
    if (code !== 0) addDisturbance(log.disturbances, `waymark serve ended with ${code ?? signal}`);
    process.off("exit", endIt);
    rmSync(folder, { recursive: true });
  }
}

/** Reads what it writes to its end; resolves to the port on which it listens. */
function readLog(child: ChildProcess, log: Log): Promise<number> {
  createInterface(child.stderr!).on("line", (text) => addDisturbance(log.disturbances, text));
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error(log.disturbances.join("\n"))));
    createInterface(child.stdout!).on("line", (text) => {
      const line = JSON.parse(text) as Line;
      log.lastLine = performance.now();
      if (line.msg.startsWith("Listening") && line.port !== undefined) resolve(line.port);
      const number = Number(numberInPath.exec(text)?.[1] ?? -1);
      if (number >= 0) {
        log.workers.add(line.pid);
        if (number < log.linesOf.length) log.linesOf[number]! += 1;
      }
      if (log.killed !== undefined && line.signal === "SIGKILL") {
        log.killed.resolve();
        log.killed = undefined;
      } else if (line.level > warnLevel || line.dropped !== undefined)
        addDisturbance(log.disturbances, text.slice(0, 500));
    });
  });
}

/** Open files and resident memory of a process and its children, where the system tells them. */
function holdingsOf(pid: number): Held {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    const all = [String(pid), ...children];
    const files = all.map((each) => readdirSync(`/proc/${each}/fd`).length);
    const resident = all.map((each) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${each}/status`, "utf8"))![1]));
    const sum = (numbers: readonly number[]): number => numbers.reduce((before, number) => before + number, 0);
    return { memory: { resident: sum(resident) * 1_024 }, counts: { processes: all.length, [openFiles]: sum(files) } };
  } catch {
    return { memory: {}, counts: {} };
  }
}
