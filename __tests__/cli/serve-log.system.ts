import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { leastCost } from "../helpers/compare-costs.ts";
import { request } from "../helpers/send-raw.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { type LogLine, waymarkMain } from "./run-waymark.ts";

const longPath = `/orders/${"x".repeat(7_000)}`;
// A mebibyte of the log, and what pipes and the reader's stream hold.
const mostCharacters = 1_700_000;

let upstream: Upstream;
let folder: string;
let file: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-log-"));
  upstream = await startUpstream();
  const route = { Key: "orders", UpstreamPathTemplate: "/orders/{id}", DownstreamPathTemplate: "/{id}" };
  file = join(folder, "gateway.json");
  const hosts = [{ Host: "127.0.0.1", Port: upstream.port }];
  await writeFile(file, JSON.stringify({ Routes: [{ ...route, DownstreamHostAndPorts: hosts }] }));
});

function killAll(): void {
  for (const child of running.splice(0)) child.kill("SIGKILL");
}

afterAll(async () => {
  killAll();
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

function start(stdout: "pipe" | number, words: readonly string[]): ChildProcess {
  const stdio = ["ignore", stdout, "inherit"] as const;
  const child = spawn(process.execPath, [waymarkMain, "serve", file, "--port", "0", "--grace", "1", ...words], {
    stdio: [...stdio],
  });
  running.push(child);
  return child;
}

/** Reads whole lines until one of them fits; the line that has only begun stays unread. */
async function readUntil(stream: Readable, fits: (line: LogLine) => boolean): Promise<LogLine[]> {
  let text = "";
  for (;;) {
    const piece = stream.read() as Buffer | null;
    if (piece === null) await once(stream, "readable");
    else text += piece.toString("latin1");
    const lines = text.split("\n");
    const begun = lines.pop()!;
    if (lines.some((line) => line.includes('"msg"') && fits(JSON.parse(line) as LogLine))) {
      if (begun !== "") stream.unshift(Buffer.from(begun, "latin1"));
      return lines.map((line) => JSON.parse(line) as LogLine);
    }
  }
}

function isGreeting({ msg }: LogLine): boolean {
  return msg.startsWith("Listening on");
}

async function readPort(child: ChildProcess): Promise<number> {
  const lines = await readUntil(child.stdout!, isGreeting);
  return Number(lines.find(isGreeting)!.port);
}

/** Asks on connections of their own, so that workers take turns. */
async function ask(port: number, count: number, path: string): Promise<void> {
  const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const asking = agents.map(async (agent, place) => {
    for (let asked = place; asked < count; asked += agents.length) {
      expect((await request({ port, path: `${path}${asked}`, agent })).status).toBe(200);
    }
    agent.destroy();
  });
  await Promise.all(asking);
}

function isRequest({ route }: LogLine): boolean {
  return route !== undefined;
}

describe.each([
  ["one process", []],
  ["workers", ["--workers", "2"]],
])("the log of waymark serve with %s", (_name, words) => {
  let child: ChildProcess;
  let port: number;
  beforeAll(async () => {
    child = start("pipe", words);
    port = await readPort(child);
  });
  afterAll(killAll);

  test("comes in whole lines, however slowly it is read", async () => {
    await ask(port, 24, longPath);
    // The lines of two workers may change places.
    const paths = new Set<unknown>();
    const told = readUntil(child.stdout!, (line) => isRequest(line) && paths.add(line.path).size === 25);
    await ask(port, 1, "/orders/last");
    expect((await told).filter(isRequest)).toHaveLength(25);
  });

  (words.length > 0 ? test : undefined)?.("has the last words of a worker before its end", async () => {
    const asked = readUntil(child.stdout!, isRequest);
    await ask(port, 1, "/orders/");
    const { pid } = (await asked).find(isRequest)!;
    const told = readUntil(child.stdout!, ({ msg }) => msg.startsWith("A worker has ended"));
    process.kill(pid, "SIGTERM");
    expect((await told).filter((line) => line.pid === pid && line.msg === "Stopped.")).toHaveLength(1);
  });

  test("holds a bounded amount while nobody reads, and tells what was lost", async () => {
    await ask(port, 400, longPath);
    const lines: LogLine[] = [];
    let lost = 0;
    while (lost + lines.filter(isRequest).length < 400) {
      lines.push(...(await readUntil(child.stdout!, ({ dropped }) => dropped !== undefined)));
      lost = lines.reduce((sum, { dropped }) => sum + Number(dropped ?? 0), 0);
    }
    expect(lines.length).toBeGreaterThan(20);
    expect(JSON.stringify(lines).length).toBeLessThan(mostCharacters * (words.length > 0 ? 3 : 1));
    expect(lost + lines.filter(isRequest).length).toBe(400);
    expect(lines.at(-1)).toMatchObject({ level: 40, msg: expect.stringMatching(/^\d+ lines of the log were dropped/) });
    const after = readUntil(child.stdout!, ({ path }) => path === "/orders/after0");
    await ask(port, 1, "/orders/after");
    await after;
  });

  test("keeps nobody from stopping it", async () => {
    const services: (readonly [ChildProcess, number])[] = [[child, port]];
    const startAnother = async (): Promise<(typeof services)[number]> => {
      const another = start("pipe", words);
      return [another, await readPort(another)];
    };
    const timeToStop = async (): Promise<number> => {
      const [unread, unreadPort] = services.pop() ?? (await startAnother());
      await ask(unreadPort, 200, longPath);
      const begin = performance.now();
      unread.kill("SIGTERM");
      expect(await once(unread, "exit")).toEqual([0, null]);
      return performance.now() - begin;
    };
    expect(await leastCost({ suspected: timeToStop, most: 5_000 })).toBeLessThan(5_000);
  });

  test("may lose its reader", async () => {
    const unread = start("pipe", words);
    const unreadPort = await readPort(unread);
    unread.stdout!.destroy();
    await ask(unreadPort, 50, "/orders/");
    unread.kill("SIGTERM");
    expect(await once(unread, "exit")).toEqual([0, null]);
  });
});

test("the log of waymark serve goes on when a named pipe gets another reader", async () => {
  const pipe = join(folder, "log.fifo");
  execFileSync("mkfifo", [pipe]);
  const first = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, constants.O_WRONLY);
  const child = start(writer, []);
  closeSync(writer);
  let text = "";
  const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 20));
  const port = Number((await pollLine(first, isGreeting, pause)).port);
  await first.close();
  await ask(port, 20, "/orders/");
  const second = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  text = "";
  expect(
    await pollLine(
      second,
      ({ dropped }) => dropped !== undefined,
      () => ask(port, 1, "/orders/again"),
    ),
  ).toMatchObject({ level: 40 });
  await second.close();
  child.kill("SIGKILL");
  await once(child, "exit");

  /** Nothing tells when there is something to read in a named pipe, nor when it is tried again. */
  async function pollLine(handle: typeof first, fits: (line: LogLine) => boolean, meanwhile: () => Promise<void>) {
    const buffer = Buffer.alloc(65_536);
    for (;;) {
      const { bytesRead } = await handle.read(buffer).catch(() => ({ bytesRead: 0 }));
      text += buffer.toString("latin1", 0, bytesRead);
      const lines = text.split("\n").slice(0, -1);
      const found = lines.map((line) => JSON.parse(line) as LogLine).find(fits);
      if (found !== undefined) return found;
      await meanwhile();
    }
  }
});

/** Runs a program at a terminal of its own, shows what it writes there up to the first line, and the rest once told to. */
const terminal = `
import os, pty, subprocess, sys
master, slave = pty.openpty()
child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=slave)
os.close(slave)
text = b""
while not b"\\n" in text[text.find(b"Listening on"):]:
    text += os.read(master, 4096)
sys.stdout.buffer.write(text)
sys.stdout.flush()
if sys.stdin.readline() == "end\\n":
    child.terminate()
sys.exit(child.wait())
`;
const hasTerminals = spawnSync("python3", ["-c", "import pty"]).status === 0;

(hasTerminals ? test : test.skip).each([
  ["one process", []],
  ["workers", ["--workers", "2"]],
])(
  "a terminal that nobody reads keeps waymark serve with %s from neither its work nor its end",
  async (_name, more) => {
    const words = [process.execPath, waymarkMain, "serve", file, "--port", "0", "--grace", "1", ...more];
    const child = spawn("python3", ["-c", terminal, ...words], { stdio: ["pipe", "pipe", "inherit"] });
    running.push(child);
    const port = await readPort(child);
    await ask(port, 24, longPath);
    child.stdin.write("end\n");
    expect(await once(child, "exit")).toEqual([0, null]);
  },
);
