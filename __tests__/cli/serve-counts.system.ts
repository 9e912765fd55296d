import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { describeWithRedis, type SecureRedis, startSecureRedis } from "../helpers/redis.ts";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { selfSigned } from "../simulator/self-signed.ts";
import { runCommand, type RunningWaymark, startWaymark } from "./run-waymark.ts";

const limit = 20;
let upstream: Upstream;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-counts-"));
  upstream = await startUpstream();
});

afterAll(async () => {
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

function configOf(more: Readonly<Record<string, unknown>> = {}) {
  const route = {
    UpstreamPathTemplate: "/x",
    DownstreamPathTemplate: "/x",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    RateLimitOptions: { Limit: limit, Period: "1h" },
  };
  return { Routes: [route], GlobalConfiguration: more };
}

async function writeConfig(more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  await writeFile(join(folder, "gateway.json"), JSON.stringify(configOf(more)));
  return "gateway.json";
}

type Service = RunningWaymark & Readonly<{ port: number; pid: number }>;

async function serve(...words: string[]): Promise<Service> {
  const running = startWaymark(["serve", ...words, "--port", "0", "--grace", "0"], { cwd: folder });
  const { port, pid } = await running.line(({ msg }) => msg.startsWith("Listening on "));
  return { ...running, port: Number(port), pid };
}

/** How many of so many requests pass, each on a connection of its own, all at the same time. */
async function passing(port: number, times: number): Promise<number> {
  const agent = new Agent({ keepAlive: false });
  const answers = await Promise.all(Array.from({ length: times }, () => request({ port, path: "/x", agent })));
  return answers.filter(({ status }) => status === 200).length;
}

async function workersOf({ pid }: Service): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.trim().split(" ").filter(Boolean).map(Number);
}

/** Counts before and behind all that can happen to workers and primary; undefined where the machine was too busy. */
async function countWithWorkers(): Promise<readonly number[] | undefined> {
  const service = await serve(await writeConfig(), "--workers", "2");
  const passed = [await passing(service.port, limit - 5)];
  const [first = 0] = await workersOf(service);
  process.kill(first, "SIGKILL");
  await service.line(({ msg }) => msg.startsWith("A worker has ended"));
  passed.push(await passing(service.port, 3 * limit));
  service.signal("SIGHUP");
  await service.line(({ msg }) => msg.startsWith("The configuration was reloaded"));
  passed.push(await passing(service.port, limit));
  const frozenAt = Date.now();
  service.signal("SIGSTOP");
  passed.push(await passing(service.port, 4 * limit));
  service.signal("SIGCONT");
  const away = await service.line(({ msg }) => msg.startsWith("The store is away"));
  await service.line(({ msg }) => msg === "The store is back.");
  passed.push(await passing(service.port, limit));
  service.signal("SIGTERM");
  const { code, stderr } = await service.ended;
  expect([code, stderr]).toEqual([0, ""]);
  return away.time < frozenAt ? undefined : passed;
}

test("the workers of waymark serve count together, whatever becomes of each; without the primary each for itself", async () => {
  let passed: readonly number[] | undefined;
  // On a machine that is busy with something else, the primary may take longer to answer than a worker waits.
  for (let attempt = 0; passed === undefined && attempt < 5; attempt += 1) passed = await countWithWorkers();
  const [before, afterDeath, afterReload, frozen = 0, thawed] = passed ?? [];

  expect([before, afterDeath, afterReload, thawed]).toEqual([limit - 5, 5, 0, 0]);
  expect(frozen).toBeGreaterThanOrEqual(limit);
  expect(frozen).toBeLessThanOrEqual(2 * limit);
});

const mistakes: [what: string, words: readonly string[], message: string][] = [
  [
    "nobody listens",
    ["--redis", "redis://anna:s3same@127.0.0.1:1"],
    "Cannot use Redis at 127.0.0.1:1: nobody listens there.",
  ],
  [
    "there is no such host",
    ["--redis", "redis://:s3same@nowhere.invalid"],
    "Cannot use Redis at nowhere.invalid: there is no such host.",
  ],
  ["it is no URL", ["--redis", "s3same"], "--redis takes a URL such as redis://localhost:6379"],
  ["it is another kind of URL", ["--redis", "http://s3same@localhost"], "--redis takes a URL such as"],
  ["variables are not asked for", ["--redis", "redis://:${SECRET}@localhost"], "--redis holds ${…}: with --env,"],
  ["a variable is missing", ["--env", "--redis", "redis://:${ABSENT}@localhost"], '"ABSENT" is not set'],
  ["nobody listens at the address of the file", [], "Cannot use Redis at 127.0.0.1:1: nobody listens there."],
];

test.each(mistakes)("waymark serve does not start when %s, and repeats no password", async (_what, words, message) => {
  const file = await writeConfig(words.length > 0 ? {} : { Redis: { Url: "redis://:s3same@127.0.0.1:1" } });
  const { code, stdout, stderr } = await runCommand(["serve", file, "--log", "none", ...words], { cwd: folder });

  expect(code).not.toBe(0);
  expect(stderr).toContain(message);
  expect(stdout + stderr).not.toContain("s3same");
});

test("waymark serve does not start when the certificate of Redis is nobody's", async () => {
  const server = createServer(
    { key: selfSigned.key, cert: selfSigned.cert },
    (socket) => void socket.on("error", () => undefined),
  );
  server.on("tlsClientError", () => undefined).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const words = ["serve", await writeConfig(), "--log", "none", "--redis", `rediss://127.0.0.1:${port}`];
  const { code, stderr } = await runCommand(words, { cwd: folder });
  server.close();

  expect([code === 0, stderr]).toEqual([false, expect.stringContaining("no connection by TLS came to be")]);
});

describeWithRedis("waymark serve with Redis", () => {
  const password = "s3same-and-long";
  let redis: SecureRedis;

  beforeAll(async () => {
    redis = await startSecureRedis(folder, ["--requirepass", password]);
  });

  afterAll(() => redis.close());

  test("counts with other gateways, over TLS, by a password from a variable", async () => {
    const file = await writeConfig({ Redis: { Url: "redis://127.0.0.1:1", Prefix: "shop", Timeout: 5 } });
    const { url, certificate } = redis.secure ?? { url: redis.url, certificate: "" };
    const words = ["--workers", "2", "--env", "--redis", url.replace("//", "//:${REDIS_PASSWORD}@")];
    const running = startWaymark(["serve", file, "--port", "0", "--grace", "0", ...words], {
      cwd: folder,
      env: { REDIS_PASSWORD: password, NODE_EXTRA_CA_CERTS: certificate },
    });
    const { port } = await running.line(({ msg }) => msg.startsWith("Listening on "));
    const Url = `redis://:${password}@127.0.0.1:${redis.port}`;
    const gateway = await startGateway(configOf({ Redis: { Url, Prefix: "shop", Timeout: 5 } }));
    const passed = await Promise.all([passing(Number(port), limit), passing(gateway.port, limit)]);
    running.signal("SIGTERM");
    const { stdout, stderr } = await running.ended;
    await gateway.close();

    expect(passed[0] + passed[1]).toBe(limit);
    expect(stdout + stderr).not.toContain(password);
  });

  test.each([
    ["a wrong password", "redis://:wrong@", "the user or the password is wrong"],
    ["no password", "redis://", "it asks for a password"],
  ])("does not start with %s", async (_what, before, reason) => {
    const file = await writeConfig();
    const { code, stderr } = await runCommand(
      ["serve", file, "--log", "none", "--redis", `${before}127.0.0.1:${redis.port}`],
      {
        cwd: folder,
      },
    );
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(reason)]);
  });
});
