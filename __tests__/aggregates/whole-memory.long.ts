import { once } from "node:events";
import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import zlib from "node:zlib";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Engine } from "../../src/index.ts";
import { collectGarbage } from "../helpers/collect-garbage.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const partCount = 10;
const piece = Buffer.from(`"${"x".repeat(65_533)}",`);
const pieces = 160;
const partBytes = piece.length * pieces + 3;

let upstream: Upstream;

beforeAll(async () => {
  const bomb = zlib.gzipSync(Buffer.alloc(101 * 1_048_576, "1"));
  upstream = await startUpstream((req, res) => {
    res.setHeader("content-type", "application/json");
    if (req.url === "/bomb") res.setHeader("content-encoding", "gzip").end(bomb);
    else if (req.url === "/slow") void sendLarge(res, 10);
    else if (req.url === "/broken") void sendLarge(res, 0, pieces / 2);
    else void sendLarge(res);
  });
});

afterAll(() => upstream.close());

/** 10 MiB, never more of it at a time than the other side takes; another number of pieces is no whole list. */
async function sendLarge(res: http.ServerResponse, pause = 0, most = pieces): Promise<void> {
  const closed = once(res, "close");
  res.write("[");
  for (let index = 0; index < most && !res.destroyed; index += 1) {
    if (!res.write(piece)) await Promise.race([once(res, "drain"), closed]);
    if (pause > 0) await wait(pause);
  }
  if (most === pieces) res.end("1]");
  else res.destroy();
}

/** A gateway with an aggregate of parts that are asked for by their keys. */
function startAggregate(keys: readonly string[], engine: Engine, more: object = {}): Promise<RunningGateway> {
  const Routes = keys.map((Key) => ({
    Key,
    UpstreamPathTemplate: `/${Key}`,
    DownstreamPathTemplate: `/${Key}`,
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    ...more,
  }));
  return startGateway({ Routes, Aggregates: [{ UpstreamPathTemplate: "/all", RouteKeys: keys }] }, { engine });
}

/** Megabytes of buffers that somebody holds; below what is few enough, those that nobody holds count, too. */
function held(fewEnough = 0): number {
  if (buffered() >= fewEnough) collectGarbage();
  return buffered();
}

function buffered(): number {
  return process.memoryUsage().arrayBuffers / 1_048_576;
}

// Where connections are limited, up to 16 MiB of the bodies are read ahead.
const limits = [
  { limit: 0, bound: 16 },
  { limit: 1, bound: 32 },
];

test.each(engines.flatMap((engine) => limits.map((more) => ({ ...engine, ...more }))))(
  "Ten parts of 10 MiB take little memory, however slowly the client reads ($name, $limit connections)",
  async ({ create, limit, bound }) => {
    const keys = Array.from({ length: partCount }, (_, index) => `part${index}`);
    const HttpHandlerOptions = { MaxConnectionsPerServer: limit };
    const gateway = await startAggregate(keys, create(), { HttpHandlerOptions });
    const before = held();
    let [most, bytes] = [0, 0];
    const request = http.get({ port: gateway.port, path: "/all", highWaterMark: 65_536 } as http.RequestOptions);
    const [answer] = (await once(request, "response")) as [http.IncomingMessage];
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      // Some of it as slowly as a telephone takes it, and the rest at full speed, with two looks at each part.
      const isSlow = bytes < 4 * 1_048_576;
      const step = isSlow ? 1_048_576 : partBytes / 2;
      if (Math.floor(bytes / step) !== Math.floor((bytes - chunk.length) / step))
        most = Math.max(most, held(before + bound) - before);
      if (isSlow) await wait(10);
    }
    await gateway.close();

    expect(bytes).toBe(2 + partCount * (partBytes + '"part0":'.length) + partCount - 1);
    expect(most).toBeLessThan(bound);
  },
  120_000,
);

test.each(engines)(
  "A part that comes to more than 100 MiB cuts the whole ($name)",
  async ({ create }) => {
    const hosts = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
    const Routes = ["bomb", "small"].map((Key) => ({
      Key,
      UpstreamPathTemplate: `/${Key}`,
      DownstreamPathTemplate: `/${Key}`,
      ...hosts,
    }));
    const Aggregates = [{ UpstreamPathTemplate: "/all", RouteKeys: ["bomb", "small"] }];
    const gateway = await startGateway({ Routes, Aggregates }, { engine: create() });
    const before = process.memoryUsage().rss;
    let bytes = 0;
    const reading = fetch(`${gateway.origin}/all`).then(async ({ body }) => {
      for await (const chunk of body!) bytes += (chunk as Uint8Array).length;
    });
    await expect(reading).rejects.toThrow();
    await gateway.close();

    expect(bytes).toBeLessThanOrEqual(100 * 1_048_576 + 64);
    expect((process.memoryUsage().rss - before) / 1_048_576).toBeLessThan(150);
  },
  120_000,
);

const tenParts = Array.from({ length: partCount }, (_, index) => `part${index}`);

test.each(
  engines.flatMap(({ name, create }) => [
    // The slow one stands in the middle: all that come after it wait.
    { name, create, odd: "slow", isWhole: true, bytes: partCount * partBytes },
    { name, create, odd: "broken", isWhole: false, bytes: 5.5 * partBytes },
    // 100 MiB of what it is without its coding, and four whole parts before.
    { name, create, odd: "bomb", isWhole: false, bytes: 10 * 1_048_576 * 4 + 100 * 1_048_576 },
  ]),
)(
  "Ten parts, one of them $odd, take little memory ($name)",
  async ({ create, odd, isWhole, bytes: mostRead }) => {
    const keys = tenParts.map((Key, index) => (index === 4 ? odd : Key));
    const gateway = await startAggregate(keys, create());
    const before = held();
    const bound = 16;
    let [most, bytes, looks] = [0, 0, 0];
    const request = http.get({ port: gateway.port, path: "/all" });
    const [answer] = (await once(request, "response")) as [http.IncomingMessage];
    const reading = (async () => {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        if (Math.floor(bytes / 4_194_304) !== Math.floor((bytes += chunk.length) / 4_194_304)) {
          most = Math.max(most, held(before + bound) - before);
          looks += 1;
        }
      }
    })();
    expect(
      await reading.then(
        () => true,
        () => false,
      ),
    ).toBe(isWhole);
    await gateway.close();
    expect(bytes).toBeLessThan(mostRead + 1_048_576);
    expect(bytes).toBeGreaterThan(4 * partBytes);
    expect(looks).toBeGreaterThan(8);
    expect(most).toBeLessThan(bound);
  },
  120_000,
);
