import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { Agent, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { WebSocket, WebSocketServer } from "ws";
import { request } from "../helpers/send-raw.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { selfSigned } from "../simulator/self-signed.ts";
import { type LogLine, type Place, type RunningWaymark, runCommand, runWaymark, startWaymark } from "./run-waymark.ts";

let upstream: Upstream;
let folder: string;
let held: Promise<ServerResponse>;
let hold: (res: ServerResponse) => void = () => undefined;

function holdNext(): void {
  held = new Promise((resolve) => (hold = resolve));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-serve-"));
  upstream = await startUpstream((req, res) => {
    if (req.url?.endsWith("/slow") === true) hold(res);
    else res.end(`${req.method} ${req.url}`);
  });
  const sockets = new WebSocketServer({ server: upstream.server });
  sockets.on("connection", (socket) =>
    socket.on("message", (message: Buffer) => socket.send(`echo ${message.toString()}`)),
  );
});

afterAll(async () => {
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

type Routes = readonly Readonly<{ from: string; to: string }>[];

/** Writes a configuration whose only host comes from the environment. */
async function writeConfig(name: string, routes: Routes): Promise<string> {
  const Routes = routes.map(({ from, to }) => ({
    Key: from.split("/")[1],
    UpstreamPathTemplate: from,
    DownstreamPathTemplate: to,
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: "${UPSTREAM_PORT}" }],
    AllowUpgrade: true,
    // The number makes each process tell its culture once it has read the file.
    Metadata: { team: "${TEAM:-orders}", size: 5 },
  }));
  const file = join(folder, name);
  await writeFile(file, JSON.stringify({ Routes }));
  return file;
}

const toOrders = [{ from: "/orders/{id}", to: "/v1/{id}" }];
const toOthers = [{ from: "/orders/{id}", to: "/v2/{id}" }];
const toThird = [{ from: "/orders/{id}", to: "/v3/{id}" }];

/** Writes a configuration that cannot be used before there is a certificate in a file. */
async function writeConfigWithCertificate(name: string, routes: Routes, certificate: string): Promise<void> {
  const next = await writeConfig(`next-${name}`, routes);
  const { Routes } = JSON.parse(await readFile(next, "utf8")) as { Routes: object[] };
  const text = JSON.stringify({ Routes: Routes.map((route) => ({ ...route, Tls: { Ca: certificate } })) });
  await writeFile(join(folder, name), text);
}

type Service = RunningWaymark & Readonly<{ origin: string; greeting: LogLine }>;

const failingServer = new URL("./failing-server.mjs", import.meta.url).href;

async function serve(file: string, ...words: string[]): Promise<Service> {
  const env = { UPSTREAM_PORT: String(upstream.port), NODE_OPTIONS: `--import=${failingServer}` };
  const running = startWaymark(["serve", file, "--env", "--port", "0", ...words], { cwd: folder, env });
  const greeting = await running.line(({ msg }) => msg.startsWith("Listening on "));
  return { ...running, greeting, origin: `http://127.0.0.1:${String(greeting.port)}` };
}

async function get(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  return { status: response.status, text: await response.text(), headers: response.headers };
}

function isReload({ msg }: LogLine): boolean {
  return msg.startsWith("The configuration was reloaded");
}

describe("waymark serve", () => {
  let service: Service;
  let file: string;
  beforeAll(async () => {
    file = await writeConfig("one.json", toOrders);
    service = await serve(file, "--health", "/healthz,/readyz", "--drain-delay", "0.5", "--metadata", "header");
  });

  test("says where it listens, this machine only", () => {
    const { host, port, routes, msg } = service.greeting;
    expect({ host, routes, msg }).toEqual({
      host: "127.0.0.1",
      routes: 1,
      msg: `Listening on http://localhost:${String(port)}`,
    });
  });

  test("tells its health also where the request line has a whole URL", async () => {
    const port = Number(new URL(service.origin).port);
    expect((await request({ port, path: "http://localhost/healthz" })).status).toBe(200);
  });

  test("sends requests on, tells the metadata, and logs each request in a line", async () => {
    const { status, text, headers } = await get(`${service.origin}/orders/7?token=s3same`);
    expect({ status, text, metadata: headers.get("gw-route-metadata") }).toEqual({
      status: 200,
      text: "GET /v1/7?token=s3same",
      metadata: '{"team":"orders","size":"5"}',
    });
    expect(headers.get("keep-alive")).toBe("timeout=65");
    expect(await service.line(({ path }) => path === "/orders/7?token=***")).toMatchObject({
      level: 30,
      route: "orders",
      method: "GET",
      status: 200,
      target: `http://127.0.0.1:${upstream.port}/v1/7?token=***`,
    });
  });

  test("goes on when its server fails, and logs that", async () => {
    for (const time of ["once", "twice"]) {
      expect([time, (await get(`${service.origin}/orders/failing-server`)).status]).toEqual([time, 200]);
    }
    expect(await service.line(({ msg }) => msg.startsWith("The server failed"))).toMatchObject({ level: 50 });
  });

  test("answers what no route takes with 404, and logs that too", async () => {
    const { status, text } = await get(`${service.origin}/nowhere?key=s3same`);
    expect({ status, code: (JSON.parse(text) as { code: string }).code }).toEqual({ status: 404, code: "no-route" });
    expect(await service.line(({ status }) => status === 404)).toMatchObject({
      method: "GET",
      path: "/nowhere?key=***",
      msg: "GET /nowhere?key=*** 404",
    });
  });

  test("refuses what it cannot be expected to do, and logs that too", async () => {
    const port = Number(new URL(service.origin).port);
    const { status } = await request({ port, path: "/orders/7?key=s3same", headers: { Expect: "magic" } });
    expect(status).toBe(417);
    expect(await service.line(({ status }) => status === 417)).toMatchObject({
      method: "GET",
      path: "/orders/7?key=***",
      msg: "GET /orders/7?key=*** 417",
    });
  });

  test.each([
    ["/healthz", {}, 200, '{"status":"alive"}'],
    ["/readyz?verbose", {}, 200, '{"status":"ready"}'],
    ["/readyz", { method: "HEAD" }, 200, ""],
    ["/readyz", { method: "POST" }, 404, /no-route/],
    ["/readyz/", {}, 404, /no-route/],
  ] as const)("answers the health check %s %j with %i", async (path, init, status, body) => {
    const answer = await get(service.origin + path, init);
    expect(answer.status).toBe(status);
    expect(answer.text).toEqual(typeof body === "string" ? body : expect.stringMatching(body));
  });

  test("serves WebSockets", async () => {
    const socket = new WebSocket(`${service.origin.replace("http", "ws")}/orders/7`);
    await once(socket, "open");
    socket.send("hello");
    expect(String((await once(socket, "message"))[0])).toBe("echo hello");
    socket.close();
    await once(socket, "close");
    const refused = new WebSocket(`${service.origin.replace("http", "ws")}/nowhere`);
    const [error] = (await once(refused, "error")) as [Error];
    expect(error.message).toBe("Unexpected server response: 404");
  });

  test("reads its file anew on SIGHUP; one that cannot be used changes nothing", async () => {
    await writeConfig("one.json", toOthers);
    service.signal("SIGHUP");
    expect(await service.line(isReload)).toMatchObject({ changed: ["orders"] });
    expect((await get(`${service.origin}/orders/7`)).text).toBe("GET /v2/7");
    await writeFile(file, "{");
    service.signal("SIGHUP");
    const refused = await service.line(({ level, msg }) => level === 50 && msg.includes("was not reloaded"));
    expect(refused).toMatchObject({ code: "config-invalid", problems: 1, msg: expect.stringContaining(file) });
    expect((await get(`${service.origin}/orders/7`)).text).toBe("GET /v2/7");
  });

  test("on SIGTERM readiness fails first, requests go on, running ones end, and so does it", async () => {
    holdNext();
    const slow = get(`${service.origin}/orders/slow`);
    const answer = await held;
    service.signal("SIGTERM");
    expect(await service.line(({ msg }) => msg.startsWith("Stopping"))).toMatchObject({ delay: 0.5, running: 1 });
    const [alive, ready, another] = await Promise.all(
      ["/healthz", "/readyz", "/orders/8"].map((path) => get(service.origin + path)),
    );
    expect({ status: alive!.status, text: alive!.text }).toEqual({ status: 200, text: '{"status":"alive"}' });
    expect({ status: ready!.status, text: ready!.text }).toEqual({ status: 503, text: '{"status":"closing"}' });
    expect({ text: another!.text, connection: another!.headers.get("connection") }).toEqual({
      text: "GET /v2/8",
      connection: "close",
    });
    answer.end("at last");
    expect(await slow).toMatchObject({ status: 200, text: "at last" });
    expect(await service.ended).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("waymark serve --watch --inspect --openapi", () => {
  let service: Service;
  let file: string;
  let secret: string;
  /** When it reloaded first. */
  let first: number;
  beforeAll(async () => {
    file = await writeConfig("watched.json", toOrders);
    service = await serve(file, "--watch", "--engine", "undici", "--log", "events", "--inspect", "--openapi");
    const link = await service.complaint(/^The inspector: (http:.+)$/m);
    secret = /^http:\/\/localhost:\d+\/_gateway\/#token=(.+)$/.exec(link)![1]!;
  });

  test("follows its file, with another engine", async () => {
    expect((await get(`${service.origin}/orders/7`)).text).toBe("GET /v1/7");
    await writeConfig("watched.json", toOthers);
    ({ time: first } = await service.line(isReload));
    expect((await get(`${service.origin}/orders/7`)).text).toBe("GET /v2/7");
  });

  test("shows documents below /swagger", async () => {
    expect(await get(`${service.origin}/swagger/docs`)).toMatchObject({ status: 200, text: "[]" });
    expect((await get(`${service.origin}/swagger`)).text).toContain("What this gateway offers");
    expect((await get(`${service.origin}/swagger/docs/v1/orders`)).status).toBe(404);
  });

  test.each([
    ["/swagger/docs", 200],
    ["/_gateway/", 403],
  ])("does so, too, where the request line has a whole URL: %s", async (path, status) => {
    const port = Number(new URL(service.origin).port);
    expect((await request({ port, path: `http://localhost${path}` })).status).toBe(status);
  });

  test("shows the inspector below /_gateway, to this machine only", async () => {
    expect((await get(`${service.origin}/_gateway/`)).status).toBe(403);
    const shown = { method: "POST", headers: { "x-waymark-secret": secret } };
    const opened = await get(`${service.origin}/_gateway/open`, shown);
    const cookie = opened.headers.get("set-cookie")!.split(";", 1)[0]!;
    const page = await get(`${service.origin}/_gateway/`, { headers: { cookie } });
    expect({ status: page.status, type: page.headers.get("content-type") }).toEqual({
      status: 200,
      type: expect.stringContaining("text/html"),
    });
    expect((await get(`${service.origin}/_gateway`, { headers: { cookie } })).text).toBe(page.text);
    const fromElsewhere = { cookie, "x-forwarded-for": "192.0.2.1" };
    expect((await get(`${service.origin}/_gateway/`, { headers: fromElsewhere })).status).toBe(403);
    expect((await get(`${service.origin}/_gatewayed`)).status).toBe(404);
  });

  test("tries again when a certificate is mended that kept a configuration from its use", async () => {
    const certificate = join(folder, "mended.pem");
    await writeConfigWithCertificate("watched.json", toThird, certificate);
    await service.line(({ msg }) => msg.includes("was not reloaded"));
    expect((await get(`${service.origin}/orders/7`)).text).toBe("GET /v2/7");
    await writeFile(certificate, selfSigned.cert);
    await service.line((line) => isReload(line) && line.time !== first);
    expect((await get(`${service.origin}/orders/7`)).text).toBe("GET /v3/7");
  });

  test("ends on SIGINT, having logged neither requests nor the inspector's secret", async () => {
    service.signal("SIGINT");
    const { code, stdout, stderr } = await service.ended;
    expect({ code, requests: stdout.match(/"path"/g), isSecretLogged: stdout.includes(secret) }).toEqual({
      code: 0,
      requests: null,
      isSecretLogged: false,
    });
    expect(stderr).toMatch(/^The inspector: .+\n$/);
  });
});

/** The processes that answer, each asked on connections of their own so that the workers take turns. */
async function answeringPids(service: Service, expected: string): Promise<Set<number>> {
  const pids = new Set<number>();
  for (let id = 0; pids.size < 2; id += 1) {
    const path = `/orders/${randomUUID()}`;
    const { status, body } = await request({ port: Number(service.greeting.port), path, agent: new Agent() });
    expect({ status, text: body.toString() }).toEqual({ status: 200, text: `GET ${expected}${path.slice(7)}` });
    pids.add((await service.line((line) => line.path === path)).pid);
  }
  return pids;
}

describe("waymark serve --workers", () => {
  let service: Service;
  beforeAll(async () => {
    service = await serve(await writeConfig("shared.json", toOrders), "--workers", "2");
  });

  test("shares the work, reloads all, and replaces one that dies", async () => {
    expect(service.greeting).toMatchObject({ workers: 2, routes: 1 });
    expect((await get(`${service.origin}/orders/7`)).text).toBe("GET /v1/7");
    await writeConfig("shared.json", toOthers);
    service.signal("SIGHUP");
    const { pid: first } = await service.line(isReload);
    const { pid: second } = await service.line((line) => isReload(line) && line.pid !== first);
    const texts = await Promise.all(["a", "b", "c", "d"].map((id) => get(`${service.origin}/orders/${id}`)));
    expect(texts.map(({ text }) => text)).toEqual(["GET /v2/a", "GET /v2/b", "GET /v2/c", "GET /v2/d"]);
    process.kill(first, "SIGKILL");
    expect(await service.line(({ level }) => level === 50)).toMatchObject({ signal: "SIGKILL", pause: 100 });
    expect((await get(`${service.origin}/orders/e`)).text).toBe("GET /v2/e");
    await service.line(({ pid }) => ![service.greeting.pid, first, second].includes(pid));
  });

  test("lets its requests end when the primary is gone", async () => {
    holdNext();
    const slow = get(`${service.origin}/orders/slow`);
    const answer = await held;
    service.signal("SIGKILL");
    await service.line(({ msg }) => msg.startsWith("Stopping"));
    answer.end("at last");
    expect(await slow).toMatchObject({ status: 200, text: "at last" });
    await service.ended;
  });
});

describe("waymark serve --workers --watch", () => {
  let service: Service;
  let file: string;
  let pids: Set<number>;
  beforeAll(async () => {
    file = await writeConfig("kept.json", toOrders);
    service = await serve(file, "--workers", "2", "--watch");
  });

  test("gives one that replaces another what is in force, not what is in the file", async () => {
    const [killed, kept] = await answeringPids(service, "/v1");
    await writeFile(file, "{");
    await service.line(({ msg }) => msg.includes("was not reloaded"));
    await kill(killed!);
    pids = await answeringPids(service, "/v1");
    expect({ isBack: pids.has(killed!), isKept: pids.has(kept!) }).toEqual({ isBack: false, isKept: true });
    // The one that has not been replaced yet comes first.
    pids = new Set([kept!, ...pids]);
  });

  test("puts what the workers cannot use into force nowhere, and successors start", async () => {
    // Only who compiles it notices that the certificate is missing.
    const certificate = join(folder, "renewed.pem");
    await writeConfigWithCertificate("kept.json", toOthers, certificate);
    const refusal = await service.line(({ msg }) => msg.includes("was not reloaded") && msg.includes(certificate));
    expect(refusal).toMatchObject({ pid: service.greeting.pid, level: 50 });
    expect(await answeringPids(service, "/v1")).toEqual(pids);
    const [killed] = pids;
    await kill(killed!);
    const successors = await answeringPids(service, "/v1");
    expect(successors.has(killed!)).toBe(false);
    await writeFile(certificate, selfSigned.cert);
    for (const pid of successors) await service.line((line) => isReload(line) && line.pid === pid);
    expect(await answeringPids(service, "/v2")).toEqual(successors);
    // What is in force stays so where its certificate is gone; one that dies young is followed later each time.
    await rm(certificate);
    const [first, kept] = successors;
    let last = first!;
    for (const pause of [100, 200, 400]) {
      await kill(last);
      await service.line((line) => line.signal === "SIGKILL" && Number(line.pause) >= pause);
      const [one, other] = await answeringPids(service, "/v2");
      expect([one, other]).toContain(kept);
      last = one === kept ? other! : one!;
    }
    await writeConfig("kept.json", toOthers);
    await service.line((line) => isReload(line) && line.pid === last);
    expect(await answeringPids(service, "/v2")).toEqual(new Set([kept, last]));
  });

  test("ends, having complained of nothing", async () => {
    service.signal("SIGTERM");
    expect(await service.ended).toMatchObject({ code: 0, stderr: "" });
  });

  let lastEnd = 0;

  /** Kills a worker, and waits until its end is told. */
  async function kill(pid: number): Promise<void> {
    process.kill(pid, "SIGKILL");
    ({ time: lastEnd } = await service.line(({ signal, time }) => signal === "SIGKILL" && time > lastEnd));
  }
});

test.each([1, 2])("waymark serve with %i processes stops when it is told before it listens", async (workers) => {
  const file = await writeConfig(`early-${workers}.json`, toOrders);
  const env = { UPSTREAM_PORT: String(upstream.port) };
  const words = ["serve", file, "--env", "--port", "0", "--workers", String(workers)];
  const running = startWaymark(words, { cwd: folder, env });
  await running.line(({ culture }) => culture !== undefined).catch(() => undefined);
  running.signal("SIGTERM");
  const { code, stdout } = await running.ended;
  expect({ code, isStopped: stdout.includes("Stopped.") }).toEqual({ code: 0, isStopped: true });
});

describe("waymark serve that another program runs as its worker", () => {
  /** Runs what it is given as the only worker of a primary, as process managers do. */
  async function writeManager(): Promise<string> {
    const [manager, primary] = [join(folder, "manager"), join(folder, "primary.mjs")];
    await writeFile(
      primary,
      `import cluster from "node:cluster";
       const [exec, ...args] = process.argv.slice(2);
       cluster.setupPrimary({ exec, args });
       const worker = cluster.fork();
       worker.on("exit", (code) => (process.exitCode = code));
       process.on("SIGTERM", () => worker.process.kill("SIGTERM"));`,
    );
    await writeFile(manager, `#!/bin/sh\nexec ${process.execPath} ${primary} "$@"\n`, { mode: 0o755 });
    return manager;
  }

  const managers: readonly [string, () => Promise<Partial<Place>>][] = [
    ["is there", async () => ({ program: await writeManager() })],
    ["has left nothing but its variable", () => Promise.resolve({ env: { NODE_UNIQUE_ID: "1" } })],
  ];

  test.each(managers)("serves, and stops when it is told, where that program %s", async (_where, manage) => {
    const { env, program = process.execPath } = await manage();
    const file = await writeConfig("managed.json", toOrders);
    const place = { cwd: folder, program, env: { ...env, UPSTREAM_PORT: String(upstream.port) } };
    const running = startWaymark(["serve", file, "--env", "--port", "0"], place);
    const { port } = await running.line(({ msg }) => msg.startsWith("Listening on "));
    expect((await get(`http://127.0.0.1:${String(port)}/orders/7`)).text).toBe("GET /v1/7");
    running.signal("SIGTERM");
    const { code, stderr } = await running.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });

    const sharing = await runWaymark(["serve", file, "--env", "--port", "0", "--workers", "2", "--log", "none"], place);
    expect(sharing).toMatchObject({ code: 2, stdout: "" });
    expect(sharing.stderr).toMatch(/^--workers starts processes, .*NODE_UNIQUE_ID.*: leave --workers out, /);
  });
});

test("waymark serve ends soon, also where a client keeps a connection whose upgrade was refused", async () => {
  const service = await serve(await writeConfig("refused.json", toOrders), "--grace", "0");
  const client = connect({ port: Number(service.greeting.port), host: "127.0.0.1", allowHalfOpen: true });
  client.on("error", () => undefined).write(upgradeOf("/nothing"));
  const [refusal] = (await once(client, "data")) as [Buffer];
  expect(refusal.toString()).toMatch(/^HTTP\/1.1 404 /);
  const told = Date.now();
  service.signal("SIGTERM");
  expect(await service.ended).toMatchObject({ code: 0, stderr: "" });
  expect(Date.now() - told).toBeLessThan(6_000);
  client.destroy();
});

function upgradeOf(path: string): string {
  const lines = [
    `GET ${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  return `${lines.join("\r\n")}\r\n\r\n`;
}

test.each(["1", "2"])(
  "waymark serve goes on where its log cannot be written, and stops as well as ever, with --workers %s",
  async (workers) => {
    const file = await writeConfig("full.json", toOrders);
    const full = await open("/dev/full", "w");
    const words = ["serve", file, "--env", "--port", "0", "--inspect", "--workers", workers];
    const running = startWaymark(words, {
      cwd: folder,
      env: { UPSTREAM_PORT: String(upstream.port) },
      stdout: full.fd,
    });
    // The log cannot tell the port; what is for people can.
    const port = await running.complaint(/^The inspector: http:\/\/localhost:(\d+)\//m);
    for (const id of ["1", "2"])
      expect((await get(`http://127.0.0.1:${port}/orders/${id}`)).text).toBe(`GET /v1/${id}`);
    running.signal("SIGTERM");
    expect((await running.ended).code).toBe(0);
    await full.close();
  },
);

test("a command whose result cannot be written fails", async () => {
  const full = await open("/dev/full", "w");
  const place = { cwd: folder, stdout: full.fd };
  const ended = await Promise.all([runWaymark(["schema"], place), runWaymark(["serve", "--help"], place)]);
  expect(ended.map(({ code }) => code)).toEqual([2, 2]);
  await full.close();
});

test("waymark serve does not start on a port in use, nor with a configuration that cannot be used", async () => {
  const file = await writeConfig("unstarted.json", toOrders);
  const place = { cwd: folder, env: { UPSTREAM_PORT: "1" } };
  const port = String(upstream.port);
  const [alone, shared, unset, trusting] = await Promise.all([
    runWaymark(["serve", file, "--env", "--port", port], place),
    runWaymark(["serve", file, "--env", "--port", port, "--workers", "2", "--log", "none"], place),
    runWaymark(["serve", "unstarted.json", "--port", "0"], place),
    runCommand(["serve", file, "--env", "--port", "0", "--trust-proxy", "true", "--log", "none"], place),
  ]);
  const inUse = `Cannot listen on http://localhost:${port}: the port is in use; --port takes another one.\n`;
  expect({ code: alone.code, stderr: alone.stderr }).toEqual({ code: 2, stderr: inUse });
  expect({ code: shared.code, stderr: [...new Set(shared.stderr.split(/(?<=\n)/))] }).toEqual({
    code: 2,
    stderr: [inUse],
  });
  expect(trusting).toEqual({
    code: 2,
    stdout: "",
    stderr:
      'Invalid option "trustProxy": expected a number of hops, or addresses such as "loopback, 10.0.0.0/8", received "true"\n',
  });
  expect({ code: unset.code, stdout: unset.stdout }).toEqual({ code: 1, stdout: "" });
  expect(unset.stderr).toMatch(/^The configuration unstarted\.json cannot be used: 1 problem\.\n\n.*\(port-invalid\)/);
});
