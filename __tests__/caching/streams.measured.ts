import http from "node:http";
import { setTimeout } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { type Gateway, type GatewayOptions, memoryStore, parseConfig } from "../../src/index.ts";
import { collectGarbage } from "../helpers/collect-garbage.ts";
import { engines } from "../helpers/engines.ts";
import { describeWithRedis, startRedis } from "../helpers/redis.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { closeServer, listen } from "../helpers/start-upstream.ts";

// STREAMED_MEGABYTES=10000 npm run test:measured -- caching/streams: the same for longer.
const streamed = Number(process.env.STREAMED_MEGABYTES ?? 200) * 1_000_000;
const clients = 16;
const answerBytes = 16_000_000;
const longestEntry = 1_048_576;
/** What of this process comes and goes besides, while nothing is asked: connections and pools of buffers. */
const besides = 8_000_000;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const kinds = ["whole", "chunked", "broken", "long"] as const;

/** What stands at an address: all bytes of an answer are the same, so that a wrong one shows. */
function answerAt(path: string) {
  const [, kind, number] = path.split("/") as [string, (typeof kinds)[number], string];
  const length = kind === "long" ? longestEntry + Number(number) * 1_000 : 1_000 + ((Number(number) * 7_919) % 400_000);
  return { kind, length, byte: Number(number) % 251 };
}

/** A service whose broken answers end half-way; counts how often it was asked for each of these. */
async function startService() {
  const broken = new Map<string, number>();
  const server = http.createServer((req, res) => {
    const { kind, length, byte } = answerAt(req.url!);
    if (kind !== "chunked") res.setHeader("Content-Length", length);
    if (kind !== "broken") return void res.end(Buffer.alloc(length, byte));
    broken.set(req.url!, (broken.get(req.url!) ?? 0) + 1);
    res.write(Buffer.alloc(length / 2, byte), () => res.destroy());
  });
  server.keepAliveTimeout = 120_000;
  const port = await listen(server);
  cleanups.push(() => closeServer(server));
  return { port, broken };
}

function configOf(port: number, more: object = {}, other = "/other"): object {
  const route = {
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
    CacheOptions: { TtlSeconds: 600, MaxEntryBytes: longestEntry },
  };
  return {
    Routes: [
      { UpstreamPathTemplate: "/{rest}", DownstreamPathTemplate: "/{rest}", ...route },
      { UpstreamPathTemplate: other, DownstreamPathTemplate: "/", ...route },
    ],
    ...more,
  };
}

async function start(config: object, options: GatewayOptions) {
  const running = await startGateway(config, options);
  cleanups.push(running.close);
  return running;
}

/** What happens at each tenth of the bytes: in the middle of it, while all ask, and behind it, while nobody does. */
type Happenings = Readonly<{ amid: (tenth: number) => Promise<unknown>; atRest: () => Promise<void> }>;

/** Asks until so many bytes have come. */
async function stream(port: number, { amid, atRest }: Happenings) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  const asked = new Map<string, number>();
  const seen = { bytes: 0, hits: 0, wrong: [] as string[] };
  for (let tenth = 1; tenth <= 10; tenth += 1) {
    const end = (streamed / 10) * tenth;
    let happens: Promise<unknown> | undefined;
    const askOn = async (): Promise<void> => {
      while (seen.bytes < end) {
        await askOnce();
        if (seen.bytes >= end - streamed / 20) happens ??= amid(tenth);
      }
    };
    await Promise.all(Array.from({ length: clients }, askOn));
    await happens;
    await atRest();
  }
  agent.destroy();
  return { ...seen, asked };

  async function askOnce(): Promise<void> {
    const kind = kinds[Math.floor(Math.random() * kinds.length)]!;
    // Some are asked for often, and most seldom.
    const path = `/${kind}/${Math.floor(Math.random() ** 5 * 2_000)}`;
    const got = await ask(port, path, agent);
    seen.bytes += got.bytes;
    if (got.isHit) seen.hits += 1;
    if (kind === "broken") asked.set(path, (asked.get(path) ?? 0) + 1);
    const { length } = answerAt(path);
    const isRight = got.isUniform && (kind === "broken" ? !got.isComplete : got.isComplete && got.bytes === length);
    if (!isRight) seen.wrong.push(`${path} ${JSON.stringify(got)}`);
  }
}

function ask(port: number, path: string, agent: http.Agent) {
  const { byte } = answerAt(path);
  const got = { bytes: 0, isHit: false, isUniform: true, isComplete: false };
  return new Promise<typeof got>((resolve) => {
    const sent = http.get({ host: "127.0.0.1", port, path, agent }, (answer) => {
      got.isHit = String(answer.headers["cache-status"]).includes("hit");
      answer.on("data", (piece: Buffer) => {
        got.bytes += piece.length;
        got.isUniform &&= isUniform(piece, byte);
      });
      answer.on("error", () => undefined).on("close", () => resolve({ ...got, isComplete: answer.complete }));
    });
    sent.on("error", () => resolve(got));
  });
}

/** Whether all bytes are that one: each is the one before it. */
function isUniform(piece: Buffer, byte: number): boolean {
  return piece[0] === byte && piece.compare(piece, 1, piece.length, 0, piece.length - 1) === 0;
}

/** A store that is back is noticed between two requests: the test's time is over where none hits any more. */
async function untilHit(port: number): Promise<void> {
  const agent = new http.Agent({ keepAlive: true });
  while (!(await ask(port, "/whole/1", agent)).isHit) await setTimeout(20);
  agent.destroy();
}

/** Bytes in use while nothing is asked: what may be thrown away is thrown away first. */
async function usedBytes(): Promise<number> {
  // What a first round has found to be unused lets go of more.
  for (let round = 0; round < 3; round += 1) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** A client has its last byte before the gateway has noticed. */
async function untilNothingRuns(gateway: Gateway): Promise<void> {
  while (gateway.health().running > 0) await new Promise((resolve) => setImmediate(resolve));
}

test.each(engines)(
  "$name: however much streams through a cache, it keeps what it may, and nothing that has broken off",
  async ({ create }) => {
    const { port, broken } = await startService();
    const { port: gatewayPort, gateway } = await start(configOf(port), {
      engine: create(),
      store: memoryStore({ answerBytes }),
    });
    const before = await usedBytes();
    let most = 0;
    const { hits, wrong, asked } = await stream(gatewayPort, {
      amid: (tenth) => gateway.reload(parseConfig(configOf(port, {}, `/other-${tenth}`), { logger: false })),
      atRest: async () => {
        await untilNothingRuns(gateway);
        most = Math.max(most, (await usedBytes()) - before);
      },
    });

    expect(wrong).toEqual([]);
    expect(hits).toBeGreaterThan(20);
    expect(broken).toEqual(asked);
    expect(most).toBeLessThan(answerBytes + besides);
  },
  600_000 + streamed / 1_000,
);

describeWithRedis("a cache in Redis", () => {
  test(
    "gives everybody the right answer while Redis is frozen, stopped and started anew",
    async () => {
      const { port, broken } = await startService();
      const redis = await startRedis(["--maxmemory", "64mb", "--maxmemory-policy", "allkeys-lru"]);
      cleanups.push(redis.close);
      const config = configOf(port, { GlobalConfiguration: { Redis: { Url: redis.url } } });
      const { port: gatewayPort, gateway } = await start(config, {});
      const { freeze, thaw, stop, start: begin } = redis;
      const happenings = [freeze, thaw, stop, begin, freeze, thaw];
      const before = await usedBytes();
      let most = 0;
      const { wrong, asked } = await stream(gatewayPort, {
        amid: async (tenth) => happenings[tenth - 1]?.(),
        atRest: async () => {
          await untilNothingRuns(gateway);
          most = Math.max(most, (await usedBytes()) - before);
        },
      });
      redis.thaw();

      await untilHit(gatewayPort);
      expect(wrong).toEqual([]);
      expect(broken).toEqual(asked);
      // What waits for Redis counts, too.
      expect(most).toBeLessThan(67_108_864 + besides);
    },
    600_000 + streamed / 1_000,
  );
});
