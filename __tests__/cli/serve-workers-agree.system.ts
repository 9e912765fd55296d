import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Answer, request } from "../helpers/send-raw.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { type RunningWaymark, startWaymark } from "./run-waymark.ts";

// One service of two workers for all of them. Each request has a connection of its own, so that the workers take turns.

const limit = 10;
const names = ["a", "b", "c"];
let failing: string | undefined;
let shops: readonly Upstream[];
let parts: Upstream;
let folder: string;
let service: RunningWaymark & Readonly<{ port: number; primary: number }>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-agree-"));
  shops = await Promise.all(
    names.map((name) => startUpstream((_req, res) => void res.writeHead(name === failing ? 503 : 200).end(name))),
  );
  const tries = new Map<string, number>();
  parts = await startUpstream((req, res) => {
    const target = `${req.method} ${req.url}`;
    tries.set(target, (tries.get(target) ?? 0) + 1);
    const isBad = req.url!.startsWith("/bad-at-first") && tries.get(target) === 1;
    res.writeHead(isBad ? 503 : 200, { "content-type": "application/json" }).end(JSON.stringify(req.url));
  });
  await writeFile(join(folder, "gateway.json"), JSON.stringify(configuration()));
  const running = startWaymark(["serve", "gateway.json", "--port", "0", "--workers", "2", "--grace", "0"], {
    cwd: folder,
  });
  const { port, pid } = await running.line(({ msg }) => msg.startsWith("Listening on "));
  service = { ...running, port: Number(port), primary: pid };
});

afterAll(async () => {
  service.signal("SIGTERM");
  const { code, stderr } = await service.ended;
  await Promise.all([...shops, parts].map(({ close }) => close()));
  await rm(folder, { recursive: true });
  expect([code, stderr]).toEqual([0, ""]);
});

function configuration(): object {
  const hosts = (upstreams: readonly Upstream[]) => upstreams.map(({ port: Port }) => ({ Host: "127.0.0.1", Port }));
  const route = (path: string, upstreams: readonly Upstream[], more: object) => ({
    UpstreamPathTemplate: path,
    DownstreamPathTemplate: path,
    DownstreamHostAndPorts: hosts(upstreams),
    ...more,
  });
  const sticky = { LoadBalancerOptions: { Type: "CookieStickySessions", Key: "shop" }, Retry: { Count: 1 } };
  return {
    Routes: [
      route("/shop/{page}", shops, sticky),
      route("/order/{id}", [parts], { Key: "order" }),
      route("/parcel/{id}", [parts], { Key: "parcel", RateLimitOptions: { Limit: limit, Period: "1h" } }),
      route("/bad-at-first/{id}", [parts], { Retry: { Count: 1 } }),
    ],
    Aggregates: [{ Key: "page", UpstreamPathTemplate: "/page/{id}", RouteKeys: ["order", "parcel"] }],
  };
}

const agent = new Agent({ keepAlive: false });

function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): Promise<Answer> {
  return request({ port: service.port, path, headers, method, agent });
}

async function workers(): Promise<number[]> {
  const { primary } = service;
  return (await readFile(`/proc/${primary}/task/${primary}/children`, "utf8")).trim().split(" ").map(Number);
}

/** Asks until two workers have answered, and returns what they have answered. */
async function askBoth(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer[]> {
  const answers: Answer[] = [];
  const one = service.line((line) => line.path === path);
  const other = one.then(({ pid }) => service.line((line) => line.path === path && line.pid !== pid));
  const both = other.then(() => true);
  while (!(await Promise.race([both, askOnce()])));
  return answers;

  async function askOnce(): Promise<false> {
    answers.push(await ask(path, headers));
    return false;
  }
}

function cookieOf({ headers }: Answer): string {
  return (headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
}

function bodiesOf(answers: readonly Answer[]): string[] {
  return [...new Set(answers.map(({ body }) => body.toString()))];
}

test("every worker knows the host of a client, also one that was started later, and behind a reload", async () => {
  const first = await Promise.all(Array.from({ length: 4 }, () => ask("/shop/first")));
  const clients = first.map((answer) => ({ host: answer.body.toString(), cookie: cookieOf(answer) }));
  expect(new Set(clients.map(({ host }) => host)).size).toBeGreaterThan(1);
  const [killed] = await workers();
  const moments = [
    ["before", async () => undefined],
    ["behind-a-death", endOne],
    ["behind-a-reload", reload],
  ] as const;
  for (const [moment, come] of moments) {
    await come();
    for (const [index, { host, cookie }] of clients.entries()) {
      const answers = await askBoth(`/shop/${moment}-${index}`, { cookie });
      expect([moment, bodiesOf(answers), answers.flatMap(({ headers }) => headers["set-cookie"] ?? [])]).toEqual([
        moment,
        [host],
        [],
      ]);
    }
  }

  async function endOne(): Promise<void> {
    process.kill(killed!, "SIGKILL");
    await service.line(({ msg }) => msg.startsWith("A worker has ended"));
    while ((await workers()).filter((pid) => pid !== killed).length < 2) await ask("/shop/meanwhile");
  }

  async function reload(): Promise<void> {
    service.signal("SIGHUP");
    await service.line(({ msg }) => msg.startsWith("The configuration was reloaded"));
  }
});

test("a client whose host fails is sent to another one, and stays there with every worker", async () => {
  const before = await ask("/shop/steady");
  failing = before.body.toString();
  const moved = await ask("/shop/moves", { cookie: cookieOf(before) });
  const answers = await askBoth("/shop/moved", { cookie: cookieOf(moved) });
  failing = undefined;
  expect(moved.status).toBe(200);
  expect(moved.body.toString()).not.toBe(before.body.toString());
  expect(bodiesOf(answers)).toEqual([moved.body.toString()]);
});

test("every worker makes one answer of the parts of an aggregate", async () => {
  const answers = await askBoth("/page/whole", { "oc-client": "whole" });
  expect(bodiesOf(answers.slice(0, limit))).toEqual(['{"order":"/order/whole","parcel":"/parcel/whole"}']);
  expect(answers[0]!.headers["aggregate-status"]).toBe('"order";status=200, "parcel";status=200');
});

test("workers count the calls of a part together, by the aggregate and by its own route", async () => {
  let passed = 0;
  // On a machine that is busy with something else, the primary may take longer to answer than a worker waits.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const began = Date.now();
    passed = await countPassing(`counted-${attempt}`);
    if (passed === limit) break;
    await service.line(({ msg, time }) => msg === "The store is back." && time >= began);
  }
  expect(passed).toBe(limit);
});

async function countPassing(client: string): Promise<number> {
  const asked = Array.from({ length: 3 * limit }, (_, index) =>
    ask(index % 3 === 0 ? "/parcel/1" : "/page/1", { "oc-client": client }),
  );
  return (await Promise.all(asked)).filter(({ status }) => status === 200).length;
}

test("workers send once more what may be repeated, and nothing else", async () => {
  // All may come to one worker, and no budget keeps it from three retries.
  const paths = [1, 2, 3].map((id) => `/bad-at-first/${id}`);
  const statusesOf = async (method: string) =>
    (await Promise.all(paths.map((path) => ask(path, {}, method)))).map(({ status }) => status);
  expect(await statusesOf("GET")).toEqual([200, 200, 200]);
  expect(await statusesOf("POST")).toEqual([503, 503, 503]);
  const arrived = parts.requests.filter(({ target }) => paths.includes(target)).map(({ method }) => method);
  expect(arrived.toSorted()).toEqual([...Array(6).fill("GET"), ...Array(3).fill("POST")]);
});
