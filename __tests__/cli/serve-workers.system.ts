import { execFileSync } from "node:child_process";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { copyFile, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { request } from "../helpers/send-raw.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { type LogLine, type RunningWaymark, runWaymark, startWaymark } from "./run-waymark.ts";

let upstream: Upstream;
let folder: string;
let program: string;
const hold = Promise.withResolvers<() => void>();
const held = hold.promise;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-workers-"));
  program = join(folder, "node");
  await copyFile(process.execPath, program);
  upstream = await startUpstream((req, res) => {
    if (req.url === "/held") hold.resolve(() => void res.end("held"));
    else res.end(req.url);
  });
});

afterAll(async () => {
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

async function writeConfig(name: string, to: string): Promise<string> {
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: upstream.port }];
  const route = { UpstreamPathTemplate: "/{path}", DownstreamPathTemplate: `${to}/{path}`, DownstreamHostAndPorts };
  await writeFile(join(folder, name), JSON.stringify({ Routes: [route] }));
  return join(folder, name);
}

/** The same with a lock: tokens that are signed by the key of a file. */
async function writeLockedConfig(name: string, KeyFile: string): Promise<string> {
  const file = await writeConfig(name, "/locked");
  const { Routes } = JSON.parse(await readFile(file, "utf8")) as { Routes: readonly object[] };
  const AuthenticationSchemes = { Own: { Type: "Jwt", Issuer: "me", Audience: "api", KeyFile } };
  const AuthenticationOptions = { AuthenticationProviderKey: "Own" };
  await writeFile(
    file,
    JSON.stringify({ Routes, GlobalConfiguration: { AuthenticationSchemes, AuthenticationOptions } }),
  );
  return file;
}

function tokenOf(key: KeyObject): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const exp = Math.floor(Date.now() / 1_000) + 600;
  const content = `${encode({ alg: "EdDSA", typ: "JWT" })}.${encode({ iss: "me", aud: "api", sub: "a", exp })}`;
  return `${content}.${sign(null, Buffer.from(content), key).toString("base64url")}`;
}

type Service = RunningWaymark & Readonly<{ port: number; primary: number; workers: () => Promise<number[]> }>;

/** Starts a service of two workers. */
async function serve(file: string, ...words: string[]): Promise<Service> {
  const running = startWaymark(["serve", file, "--port", "0", "--workers", "2", "--grace", "0", ...words], {
    cwd: folder,
    program,
  });
  const greeting = await running.line(({ msg }) => msg.startsWith("Listening on "));
  const primary = greeting.pid;
  return { ...running, port: Number(greeting.port), primary, workers };

  function workers(): Promise<number[]> {
    return childrenOf(primary);
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.trim().split(" ").filter(Boolean).map(Number);
}

/** Asks on a connection of its own; tells what is wrong where nothing comes back. */
async function ask({ port }: Pick<Service, "port">): Promise<string> {
  const agent = new Agent({ timeout: 500 });
  const asked = request({ port, path: "/x", agent }).then(
    ({ status, body }) => `${status} ${body.toString()}`,
    (error: unknown) => `no answer: ${(error as NodeJS.ErrnoException).code}`,
  );
  const late = new Promise<string>((resolve) => setTimeout(resolve, 2_000, "no answer in time").unref());
  const answer = await Promise.race([asked, late]);
  agent.destroy();
  return answer;
}

/** Asks until the answer is the expected one, or it takes too long; returns the last answer. */
async function askUntil(service: Service, expected: string): Promise<string> {
  const end = performance.now() + 30_000;
  for (;;) {
    const answer = await ask(service);
    if (answer === expected || performance.now() > end) return answer;
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 50));
}

async function setMostFiles(pid: number, most: number | "none left"): Promise<void> {
  const limit = most === "none left" ? (await readdir(`/proc/${pid}/fd`)).length : most;
  execFileSync("prlimit", ["--pid", String(pid), `--nofile=${limit}:`]);
}

function openIdle(port: number): Socket {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  return socket.resume();
}

type Lack = [
  what: string,
  code: string,
  take: (service: Service) => Promise<void>,
  giveBack: (service: Service) => Promise<void>,
];

const lacks: readonly Lack[] = [
  [
    "there is no file descriptor for it",
    "EMFILE",
    ({ primary }) => setMostFiles(primary, "none left"),
    ({ primary }) => setMostFiles(primary, 1_000),
  ],
  [
    "its program is being replaced",
    "ENOENT",
    () => rename(program, `${program}-away`),
    () => rename(`${program}-away`, program),
  ],
];

// One service for all of them, each of which leaves it as it was: a start of three processes costs more than any.
describe("waymark serve --workers", () => {
  let service: Service;
  /** Of all workers that were seen. */
  const pids = new Set<number>();

  beforeAll(async () => {
    service = await serve(await writeConfig("gateway.json", ""));
  });

  async function keepWorkers(): Promise<number[]> {
    const workers = await service.workers();
    for (const pid of workers) pids.add(pid);
    return workers;
  }

  afterAll(() => service.signal("SIGKILL"));

  test("has as many files open as before when a worker was started anew", async () => {
    const [killed, other] = await keepWorkers();
    const { primary } = service;
    const filesOf = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length;
    const before = await filesOf(primary);
    const successor = service.line(({ path, pid }) => path === "/x" && !pids.has(pid));
    process.kill(killed!, "SIGKILL");
    expect(await askUntil(service, "200 /x")).toBe("200 /x");
    for (let isThere = false; !isThere;) {
      expect(await ask(service)).toBe("200 /x");
      isThere = await Promise.race([successor.then(() => true), pause().then(() => false)]);
    }
    const { pid } = await successor;
    // The last answer's connection may still be about to close.
    for (const end = performance.now() + 5_000; performance.now() < end;) {
      if ((await filesOf(pid)) === (await filesOf(other!))) break;
      await pause();
    }
    const now = { primary: await filesOf(primary), successor: await filesOf(pid) };
    expect(now).toEqual({ primary: before, successor: await filesOf(other!) });
  });

  test("answers again when clients have left that took all its file descriptors", async () => {
    const most = 100;
    const all = [service.primary, ...(await keepWorkers())];
    for (const pid of all) await setMostFiles(pid, most);
    const idle = Array.from({ length: 4 * most }, () => openIdle(service.port));
    const settled = idle.map((socket) => Promise.race([once(socket, "connect"), once(socket, "close")]));
    await Promise.allSettled(settled);
    await askUntil(service, "no answer: ECONNRESET");
    const closed = idle.filter((socket) => !socket.closed).map((socket) => once(socket, "close"));
    for (const socket of idle) socket.destroy();
    await Promise.all(closed);
    expect(await askUntil(service, "200 /x")).toBe("200 /x");
    for (let asked = 0; asked < 10; asked += 1) expect(await ask(service)).toBe("200 /x");
    for (const pid of all) await setMostFiles(pid, 1_000);
  });

  test.each(lacks)("tries again and again to start a worker where %s", async (_what, code, take, giveBack) => {
    const [killed] = await keepWorkers();
    await take(service);
    process.kill(killed!, "SIGKILL");
    const failure = await service.line((line) => isFailure(line) && (line.err as { code?: string }).code === code);
    expect(failure).toMatchObject({ level: 50, pid: service.primary });
    expect(await askUntil(service, "200 /x")).toBe("200 /x");
    await giveBack(service);
    const successor = service.line(({ path, pid }) => path === "/x" && !pids.has(pid));
    for (let isThere = false; !isThere;) {
      expect(await ask(service)).toBe("200 /x");
      isThere = await Promise.race([successor.then(() => true), pause().then(() => false)]);
    }
  });

  test("keeps the port that it has taken by chance when all of them die at once", async () => {
    for (const pid of await keepWorkers()) process.kill(pid, "SIGKILL");
    expect(await askUntil(service, "200 /x")).toBe("200 /x");
    // Both are there again for what comes next.
    const answering = new Set<number>();
    const noteNext = async (): Promise<void> => {
      const { pid } = await service.line(({ path, pid: by }) => path === "/x" && !pids.has(by) && !answering.has(by));
      answering.add(pid);
    };
    const both = noteNext().then(noteNext);
    for (let isThere = false; !isThere;) {
      expect(await ask(service)).toBe("200 /x");
      isThere = await Promise.race([both.then(() => true), pause().then(() => false)]);
    }
  });

  test("is held up by one that is stuck neither with a successor nor at its end", async () => {
    const [stuck, other] = await keepWorkers();
    process.kill(stuck!, "SIGSTOP");
    for (let asked = 0; asked < 5; asked += 1) expect(await ask(service)).toBe("200 /x");
    await writeConfig("gateway.json", "/v2");
    service.signal("SIGHUP");
    // The others are ready, and wait for the one that says nothing.
    await new Promise((resolve) => setTimeout(resolve, 500));
    process.kill(other!, "SIGKILL");
    expect(await askUntil(service, "200 /x")).toBe("200 /x");
    service.signal("SIGTERM");
    const { code, stderr, stdout } = await service.ended;
    // However often it was tried in vain, that was told once for each reason.
    const tellings = stdout.match(/A worker could not be started/g) ?? [];
    expect({ code, stderr, tellings: tellings.length }).toEqual({ code: 0, stderr: "", tellings: lacks.length });
    expect(() => process.kill(stuck!, 0)).toThrow();
  });
});

function isFailure({ msg }: LogLine): boolean {
  return msg.startsWith("A worker could not be started");
}

test("waymark serve --workers: a SIGHUP that comes before the file is read ends nothing", async () => {
  const whole = await writeConfig("early.json", "");
  const text = await readFile(whole);
  const file = join(folder, "early.fifo");
  execFileSync("mkfifo", [file]);
  const service = startWaymark(["serve", file, "--port", "0", "--workers", "2", "--grace", "0"], { cwd: folder });
  // Nobody can write before the program reads.
  const writing = await open(file, "w");
  service.signal("SIGHUP");
  await writing.writeFile(text);
  // The reload reads what lies there then.
  await rename(whole, file);
  await writing.close();
  const listens = service.line(({ msg }) => msg.startsWith("Listening on ")).then(() => "it listens");
  expect(await Promise.race([listens, service.ended])).toBe("it listens");
  service.signal("SIGTERM");
  expect(await service.ended).toMatchObject({ code: 0, stderr: "" });
});

test("waymark serve --workers: one that is killed before all of them listen is started anew", async () => {
  const file = await writeConfig("killed.json", "");
  const service = startWaymark(["serve", file, "--port", "0", "--workers", "2", "--grace", "0"], { cwd: folder });
  let [first] = await childrenOf(service.pid);
  while (first === undefined) [first] = await childrenOf(service.pid);
  process.kill(first, "SIGKILL");
  const greeting = await service.line(({ msg }) => msg.startsWith("Listening on "));
  expect(await ask({ port: Number(greeting.port) })).toBe("200 /x");
  await service.line(({ msg, signal }) => msg.startsWith("A worker has ended") && signal === "SIGKILL");
  service.signal("SIGTERM");
  expect(await service.ended).toMatchObject({ code: 0, stderr: "" });
});

test("waymark serve --workers: a reload while it stops waits for no worker, and running requests have their grace", async () => {
  const file = await writeConfig("stopping.json", "");
  const service = await serve(file, "--grace", "30");
  const answer = request({ port: service.port, path: "/held", agent: new Agent() });
  const release = await held;
  service.signal("SIGTERM");
  await service.line(({ msg, running }) => msg.startsWith("Stopping: ") && running === 1);
  const { Routes } = JSON.parse(await readFile(file, "utf8")) as { Routes: readonly object[] };
  await writeFile(
    file,
    JSON.stringify({ Routes: Routes.map((route) => ({ ...route, DelegatingHandlers: ["none"] })) }),
  );
  service.signal("SIGHUP");
  await service.line(({ msg }) => msg.startsWith("The configuration was not reloaded"));
  release();
  expect((await answer).body.toString()).toBe("held");
  expect(await service.ended).toMatchObject({ code: 0, stderr: "" });
});

test("waymark serve --workers: one that is started anew has the keys that are in force, whatever lies there by then", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  await writeFile(join(folder, "key.pem"), publicKey.export({ type: "spki", format: "pem" }));
  const file = await writeLockedConfig("keys.json", "key.pem");
  const service = await serve(file);
  const authorization = `Bearer ${tokenOf(privateKey)}`;
  const askLocked = async (): Promise<number> => {
    const asked = request({ port: service.port, path: "/x", headers: { authorization }, agent: new Agent() });
    return asked.then(({ status }) => status).catch(() => 0);
  };
  expect(await askLocked()).toBe(200);
  const first = await service.workers();
  await writeFile(join(folder, "key.pem"), "-----BEGIN PUBLIC KEY-----\nhalf of it");
  service.signal("SIGHUP");
  await service.line(({ msg }) => msg.startsWith("The configuration was not reloaded"));
  for (const worker of first) process.kill(worker, "SIGKILL");
  let status = 0;
  for (const end = Date.now() + 15_000; status !== 200 && Date.now() < end;) status = await askLocked();
  expect(status).toBe(200);
  service.signal("SIGTERM");
  expect(await service.ended).toMatchObject({ code: 0, stderr: "" });
});

test("what keeps the workers from starting is told once", async () => {
  const file = await writeLockedConfig("locked.json", "missing.pem");
  const { code, stderr } = await runWaymark(["serve", file, "--port", "0", "--workers", "2"], { cwd: folder });
  expect(stderr).toMatch(/^The "KeyFile" "[^"]*missing.pem" cannot be used: Error: ENOENT.*\n$/);
  expect(code).toBe(2);
});
