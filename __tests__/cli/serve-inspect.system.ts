import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { request } from "../helpers/send-raw.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { followTraffic, readCookie } from "../inspector/scene.ts";
import { type RunningWaymark, startWaymark } from "./run-waymark.ts";

const workers = 3;
let upstream: Upstream;
let folder: string;
let service: RunningWaymark;
let port: number;
let cookie: string;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-inspected-"));
  upstream = await startUpstream((_req, res) => void res.end("kept"));
  await writeConfig({});
  const words = ["serve", "gateway.json", "--port", "0", "--grace", "0", "--inspect", "--workers", String(workers)];
  service = startWaymark(words, { cwd: folder });
  const link = await service.complaint(/^The inspector: (http:.+)$/m);
  port = Number(new URL(link).port);
  cookie = await readCookie(port, link);
  const { body } = await ask("/_gateway/", { Cookie: cookie });
  token = /name="waymark-token" content="([^"]+)"/.exec(body)![1]!;
});

afterAll(async () => {
  service.signal("SIGTERM");
  await service.ended;
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

async function writeConfig(more: object): Promise<void> {
  const route = {
    Key: "cached",
    UpstreamPathTemplate: "/cached",
    DownstreamPathTemplate: "/",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    CacheOptions: { TtlSeconds: 600, Region: "north" },
    ...more,
  };
  await writeFile(join(folder, "gateway.json"), JSON.stringify({ Routes: [route] }));
}

type Asked = Readonly<{ status: number; body: string }>;

/** Asks on a connection of its own, which any worker may take. */
async function ask(path: string, headers: Record<string, string> = {}, body?: string): Promise<Asked> {
  const agent = new Agent();
  const method = body === undefined ? "GET" : "POST";
  const answer = await request({ port, path, agent, headers, method, ...(body === undefined ? {} : { body }) });
  agent.destroy();
  return { status: answer.status, body: answer.body.toString() };
}

test("asks no inspector for a host that stands in the request line", async () => {
  for (const path of ["http://evil.example/_gateway/", `http://localhost:${port}/_gateway/`])
    expect((await ask(path, { Cookie: cookie })).status).toBe(403);
});

type State = Readonly<{
  processes: number;
  total: { requests: number };
  kept: { entries: number };
  caches: { hit: number; miss: number }[];
  reloads: { failure?: string; changed: number }[];
  hosts: { rows: { route: string }[] };
}>;

async function readState(): Promise<State> {
  return JSON.parse((await ask("/_gateway/state", { Cookie: cookie })).body) as State;
}

/** Looks until something is so: what a request comes to is counted once its answer is out. */
async function stateWhere(isSo: (state: State) => boolean): Promise<State> {
  for (;;) {
    const state = await readState();
    if (isSo(state)) return state;
  }
}

test("the workers of a service are one on the page: requests, caches and hosts are summed", async () => {
  await Promise.all(Array.from({ length: 40 }, () => ask("/cached")));
  const state = await stateWhere(({ total }) => total.requests === 40);
  expect(state.processes).toBe(workers);
  expect(state.caches).toMatchObject([{ requests: 40 }]);
  expect(state.caches[0]!.hit + state.caches[0]!.miss).toBe(40);
  // Each worker that was asked has asked once, and keeps an answer of its own.
  expect(state.kept.entries).toBe(upstream.requests.length);
  expect(state.hosts.rows).toHaveLength(1);
});

test("what is thrown away is thrown away in all of them", async () => {
  const headers = {
    "Content-Type": "application/json",
    "Sec-Fetch-Site": "same-origin",
    "X-Waymark-Token": token,
    Cookie: cookie,
    Host: `localhost:${port}`,
    Origin: `http://localhost:${port}`,
  };
  expect((await ask("/_gateway/purge", headers, '{"region":"north"}')).status).toBe(200);
  expect((await readState()).kept.entries).toBe(0);
});

test("one worker tells of the requests of all", async () => {
  const before = (await readState()).total.requests;
  await Promise.all(Array.from({ length: 20 }, () => ask("/cached")));
  await stateWhere(({ total }) => total.requests === before + 20);
  const [first] = await followTraffic({ port, cookie }, (told) => told.length > 0);
  expect(first!.counts.requests).toBe(before + 20);
  expect(first!.entries).toHaveLength(before + 20);
  expect(new Set(first!.entries.map(({ process, number }) => `${process} ${number}`)).size).toBe(before + 20);
});

test("a reload that was refused stands there, though no worker was asked", async () => {
  await writeFile(join(folder, "gateway.json"), "{");
  service.signal("SIGHUP");
  const { reloads } = await stateWhere((state) => state.reloads.length === 1);
  expect(reloads[0]!.failure).toContain("gateway.json");
  await writeConfig({ Priority: 2 });
  service.signal("SIGHUP");
  expect((await stateWhere((state) => state.reloads.length === 2)).reloads[0]).toMatchObject({ changed: 1 });
});

test("a worker that has died is left out, and its successor is there", async () => {
  const [first] = await workersOf();
  process.kill(first!, "SIGKILL");
  await service.line(({ msg }) => msg.startsWith("A worker has ended"));
  expect((await stateWhere(({ processes }) => processes === workers)).processes).toBe(workers);
});

async function workersOf(): Promise<number[]> {
  const { pid } = await service.line(({ msg }) => msg.startsWith("Listening on "));
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.trim().split(" ").map(Number);
}
