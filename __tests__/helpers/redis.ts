import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "@jest/globals";
import { createClient } from "@redis/client";
import { waitForPort } from "./wait-for-port.ts";
import { findFreePort } from "../../bench/find-free-port.ts";

const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;

/** Describes what needs Redis; where there is none, it is skipped and says so. */
export function describeWithRedis(what: string, tests: () => void): void {
  if (hasRedis) {
    describe(what, tests);
    return;
  }
  console.warn(`Not tried with Redis: ${what}. No redis-server was found; install one.`);
  describe.skip(what, tests);
}

export type RunningRedis = Readonly<{
  port: number;
  url: string;
  /** Lets it stand still, as a machine does that swaps: connections stay open, and nobody answers. */
  freeze: () => void;
  thaw: () => void;
  stop: () => Promise<void>;
  /** Starts it again after it was stopped: empty, at the same port. */
  start: () => Promise<void>;
  close: () => Promise<void>;
}>;

/** Starts a Redis that keeps nothing on disk. */
export async function startRedis(more: readonly string[] = []): Promise<RunningRedis> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-redis-"));
  let port = await findFreePort();
  let child: ChildProcess;
  // Somebody else may have taken the port meanwhile.
  for (let tries = 1; !(await starts()); tries += 1) {
    if (tries === 5) throw new Error("No Redis could be started.");
    port = await findFreePort();
  }
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    stop,
    start,
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };

  function starts(): Promise<boolean> {
    return start().then(
      () => true,
      () => false,
    );
  }

  async function start(): Promise<void> {
    const given = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
    child = spawn("redis-server", [...given, ...more], { stdio: "ignore" });
    await waitForPort(port, () => child.exitCode !== null);
  }

  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
}

/** A Redis, and where it speaks TLS besides, with the file of a certificate that nobody trusts who is not told to. */
export type SecureRedis = RunningRedis &
  Readonly<{ secure: Readonly<{ url: string; certificate: string }> | undefined }>;

/** Starts a Redis that speaks TLS, too, with a certificate made in a folder; without openssl it does not. */
export async function startSecureRedis(folder: string, more: readonly string[] = []): Promise<SecureRedis> {
  const [key, certificate] = [join(folder, "redis.key"), join(folder, "redis.crt")];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", ...names];
  const { status } = spawnSync("openssl", ["req", "-x509", ...made, "-keyout", key, "-out", certificate]);
  if (status !== 0) {
    console.warn("Not tried: Redis over TLS. No openssl was found; install it.");
    return { ...(await startRedis(more)), secure: undefined };
  }
  const port = await findFreePort();
  const files = ["--tls-cert-file", certificate, "--tls-key-file", key, "--tls-auth-clients", "no"];
  const redis = await startRedis(["--tls-port", String(port), ...files, ...more]);
  return { ...redis, secure: { url: `rediss://localhost:${port}`, certificate } };
}

/** Starts a cluster of one, which has all keys. */
export async function startClusterNode(): Promise<RunningRedis> {
  const bus = String(await findFreePort());
  const redis = await startRedis([
    "--cluster-enabled",
    "yes",
    "--cluster-port",
    bus,
    "--cluster-announce-ip",
    "127.0.0.1",
  ]);
  const node = await createClient({ url: redis.url }).connect();
  await node.sendCommand(["CLUSTER", "ADDSLOTSRANGE", "0", "16383"]);
  while (!(await node.sendCommand<string>(["CLUSTER", "INFO"])).includes("cluster_state:ok")) continue;
  node.destroy();
  return redis;
}

/** What stands between a client and a server: it can be slow, deaf, or cut. */
export type Line = Readonly<{
  port: number;
  /** From now on every piece takes so many milliseconds. */
  delay: (milliseconds: number) => void;
  /** The connections that are there stay open, and nothing comes through any more; new ones work. */
  deafen: () => void;
  cut: () => void;
  close: () => Promise<void>;
}>;

/** Starts a line to a port. */
export async function startLine(target: number): Promise<Line> {
  const pairs = new Set<Pair>();
  let delayed = 0;
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    const pair: Pair = { sockets: [client, upstream], held: [], isDeaf: false };
    pairs.add(pair);
    relay(pair, client, upstream);
    relay(pair, upstream, client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => pairs.forEach(({ sockets }) => sockets.forEach((socket) => socket.destroy()));
  return {
    port: (server.address() as AddressInfo).port,
    delay(milliseconds) {
      delayed = milliseconds;
      if (milliseconds === 0) for (const { held } of pairs) for (const send of held.splice(0)) send();
    },
    deafen: () => pairs.forEach((pair) => void (pair.isDeaf = true)),
    cut,
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };

  function relay(pair: Pair, from: Socket, to: Socket): void {
    from.on("error", () => to.destroy()).on("close", () => void (to.destroy(), pairs.delete(pair)));
    from.on("data", (piece) => {
      if (pair.isDeaf) return;
      if (delayed === 0) to.write(piece);
      else {
        pair.held.push(() => to.destroyed || to.write(piece));
        setTimeout(() => pair.held.shift()?.(), delayed);
      }
    });
  }
}

type Pair = { readonly sockets: readonly Socket[]; readonly held: (() => unknown)[]; isDeaf: boolean };
