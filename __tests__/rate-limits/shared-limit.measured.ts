import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startWaymark } from "../cli/run-waymark.ts";
import { describeWithRedis, type Line, type RunningRedis, startLine, startRedis } from "../helpers/redis.ts";
import { machineSlowness } from "../helpers/machine-slowness.ts";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

// LIMITED_REQUESTS=100000 npm run test:measured -- shared-limit: the same for longer.
const requests = Number(process.env.LIMITED_REQUESTS ?? 6_000);
const clients = 64;
const limit = 20;
const period = 1_000;
// What the way from the store's count to the upstream's clock may take here and there.
const jitter = 100;

let upstream: Upstream;
let redis: RunningRedis;
let folder: string;
/** When requests of each client have come through. */
const passed = new Map<string, number[]>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-shared-"));
  upstream = await startUpstream((req, res) => {
    const client = String(req.headers["oc-client"]);
    passed.set(client, [...(passed.get(client) ?? []), performance.now()]);
    res.end("passed");
  });
});

afterAll(async () => {
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

function configOf(port: number, timeout: number) {
  const route = {
    UpstreamPathTemplate: "/x",
    DownstreamPathTemplate: "/x",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    RateLimitOptions: { Limit: limit, Period: `${period}ms` },
  };
  return {
    Routes: [route],
    GlobalConfiguration: { Redis: { Url: `redis://127.0.0.1:${port}`, Timeout: timeout } },
  };
}

async function serve() {
  const words = ["serve", "gateway.json", "--port", "0", "--grace", "0", "--log", "events"];
  const running = startWaymark(words, { cwd: folder });
  const { port } = await running.line(({ msg }) => msg.startsWith("Listening on "));
  return { ...running, port: Number(port) };
}

/** The most that came through in any span of that length. */
function mostWithin(times: readonly number[], span: number): number {
  let first = 0;
  return times.reduce((most, time, index) => {
    while (times[first]! <= time - span) first += 1;
    return Math.max(most, index - first + 1);
  }, 0);
}

describeWithRedis("a limit that three processes share", () => {
  beforeAll(async () => {
    redis = await startRedis();
  });

  afterAll(() => redis.close());

  test("is exact however many ask at once, judged by what the upstream has seen", async () => {
    await writeFile(join(folder, "gateway.json"), JSON.stringify(configOf(redis.port, 5)));
    const services = await Promise.all([serve(), serve(), serve()]);
    const agent = new Agent({ keepAlive: true, maxSockets: clients });
    /** By client: how many passed, and how many of them were the first of a period. */
    const counted = new Map<string, { passed: number; periods: number }>();
    let sent = 0;
    await Promise.all(Array.from({ length: clients }, (_, index) => askOn(`client ${index % 8}`)));
    agent.destroy();
    for (const service of services) service.signal("SIGTERM");
    const ends = await Promise.all(services.map(({ ended }) => ended));

    expect(ends.map(({ stdout }) => stdout.includes("The store is away"))).toEqual([false, false, false]);
    for (const [client, { passed: answered, periods }] of counted) {
      const times = passed.get(client) ?? [];
      expect(times).toHaveLength(answered);
      expect(times.length).toBeLessThanOrEqual(periods * limit);
      expect(mostWithin(times, period - jitter)).toBeLessThanOrEqual(2 * limit);
    }
    expect(counted.size).toBe(8);

    async function askOn(client: string): Promise<void> {
      const found = counted.get(client) ?? { passed: 0, periods: 0 };
      counted.set(client, found);
      while (sent < requests) {
        sent += 1;
        const { port } = services[sent % services.length]!;
        const { status, headers } = await request({ port, path: "/x", headers: { "oc-client": client }, agent });
        if (status !== 200) continue;
        found.passed += 1;
        if (headers["x-ratelimit-remaining"] === String(limit - 1)) found.periods += 1;
      }
    }
  });
});

type Place = Readonly<{ own: RunningRedis; line: Line }>;

const ways: [what: string, begin: (place: Place) => unknown, finish: (place: Place) => unknown][] = [
  ["is stopped, and comes back empty", ({ own }) => own.stop(), ({ own }) => own.start()],
  ["is frozen", ({ own }) => own.freeze(), ({ own }) => own.thaw()],
  ["is slow by 200 ms", ({ line }) => line.delay(200), ({ line }) => line.delay(0)],
  ["is cut off", ({ line }) => line.cut(), () => undefined],
  ["has vanished without a word", ({ line }) => line.deafen(), () => undefined],
];

describeWithRedis("a Redis that", () => {
  test.each(ways)("%s keeps no request waiting for longer than 50 ms, and is found again", async (_what, ...way) => {
    // 50 ms for the store, and as much again for the rest of a request.
    const most = 50 + 50 * machineSlowness();
    let longest = Infinity;
    // A machine that has other work lets requests wait, too, so one of three attempts is enough.
    for (let attempt = 0; attempt < 3 && longest > most; attempt += 1) {
      longest = Math.min(longest, await longestWait(way));
    }
    expect(longest).toBeLessThan(most);
  });
});

/** How long a request takes at most from the moment on at which something happens to Redis; returns once it is back. */
async function longestWait([begin, finish]: [(typeof ways)[number][1], (typeof ways)[number][2]]): Promise<number> {
  const own = await startRedis();
  const line = await startLine(own.port);
  const gateway = await startGateway(configOf(line.port, 0.05));
  const agent = new Agent({ keepAlive: true });
  for (let time = 0; time < 50; time += 1) await ask();
  void begin({ own, line });
  let longest = 0;
  const end = performance.now() + 2_500;
  while (performance.now() < end) longest = Math.max(longest, ...(await Promise.all([ask(), ask(), ask(), ask()])));
  await finish({ own, line });
  while (gateway.gateway.health().degraded.length > 0) await ask();
  agent.destroy();
  await gateway.close();
  await line.close();
  await own.close();
  return longest;

  async function ask(): Promise<number> {
    const sentAt = performance.now();
    await request({ port: gateway.port, path: "/x", headers: { "oc-client": "anna" }, agent });
    return performance.now() - sentAt;
  }
}
