import http from "node:http";
import net from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { askAt, type CachedRoute, configOf, type Service, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute | undefined;
const running: (RunningGateway | Upstream)[] = [];
afterEach(async () => {
  await route?.close();
  for (const one of running.splice(0)) await one.close();
  route = undefined;
});

async function start(
  answer: NonNullable<Service["answer"]>,
  longest: number,
  create: (typeof engines)[number]["create"],
) {
  const CacheOptions = { TtlSeconds: 60, MaxEntryBytes: longest };
  return (route = await startCachedRoute({ answer }, { route: { CacheOptions }, options: { engine: create() } }));
}

describe.each(engines)("room for answers that are collected, with $name", ({ create }) => {
  test("is not taken by clients that read nothing of what they ask for", async () => {
    const long = Buffer.alloc(1_000_000, "long");
    const short = Buffer.alloc(100_000, "short");
    const sockets = new Set<net.Socket>();
    const { ask, gateway, upstream } = await start(
      (req, res) => {
        sockets.add(req.socket);
        const body = req.url!.startsWith("/long") ? long : short;
        res.setHeader("Content-Length", body.length).end(body);
      },
      long.length,
      create,
    );
    const clients = Array.from({ length: 75 }, (_, n) => {
      const client = net.connect(gateway.port, "127.0.0.1").pause();
      client.write(`GET /long/${n} HTTP/1.1\r\nHost: a\r\n\r\n`);
      return client;
    });
    await untilStill(
      () => upstream.requests.length + [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    );
    const before = upstream.requests.length;

    const got = [await ask(), await ask(), await ask()];
    for (const client of clients) client.destroy();

    expect(got.map(({ headers }) => headers["cache-status"])).toEqual([
      "waymark; fwd=uri-miss; stored",
      expect.stringMatching(hit),
      expect.stringMatching(hit),
    ]);
    expect(got.every(({ body }) => body.length === short.length)).toBe(true);
    expect(upstream.requests).toHaveLength(before + 1);
  });

  test("is no more than there is, and what finds none is not called stored", async () => {
    const begun = Buffer.alloc(20_000_000, "begun");
    let end = (): void => undefined;
    const { ask, gateway } = await start(
      (req, res) => {
        if (req.url === "/slow") {
          res.write(begun);
          end = () => res.end();
        } else res.setHeader("Content-Length", begun.length).end(begun);
      },
      begun.length,
      create,
    );
    const slow = await beginReading(gateway.port, "/slow", begun.length);
    const besides = await ask();
    end();
    await slow.ended;
    const behind = [await ask(), await ask({ path: "/slow" })];

    expect([besides.headers["cache-status"], besides.body.length]).toEqual(["waymark; fwd=uri-miss", begun.length]);
    expect(behind.map(({ headers }) => headers["cache-status"])).toEqual([
      "waymark; fwd=uri-miss; stored",
      expect.stringMatching(hit),
    ]);
  });

  test("is the same for caches before code and behind it", async () => {
    const begun = Buffer.alloc(20_000_000, "begun");
    let end = (): void => undefined;
    const upstream = await startUpstream((req, res) => {
      res.setHeader("Content-Length", begun.length + 1).write(begun);
      if (req.url === "/before/x") end = () => res.end(".");
      else res.end(".");
    });
    const routes = ["before", "behind"].map((place) => {
      const CacheOptions = { TtlSeconds: 60, MaxEntryBytes: begun.length + 1, BeforeHandlers: place === "before" };
      const paths = { UpstreamPathTemplate: `/${place}/{rest}`, DownstreamPathTemplate: `/${place}/{rest}` };
      return configOf(upstream.port, { route: { ...paths, CacheOptions } }) as { Routes: object[] };
    });
    const gateway = await startGateway(
      { Routes: routes.flatMap(({ Routes }) => Routes) },
      { engine: create(), handlers: [(_outgoing, next) => next()] },
    );
    running.push(gateway, upstream);

    const slow = await beginReading(gateway.port, "/before/x", begun.length);
    const besides = await askAt(gateway.port, { path: "/behind/x" });
    end();
    await slow.ended;
    const behind = await askAt(gateway.port, { path: "/behind/x" });

    expect([besides, behind].map(({ headers }) => headers["cache-status"])).toEqual([
      "waymark; fwd=uri-miss",
      "waymark; fwd=uri-miss; stored",
    ]);
  });
});

const hit = /^waymark; hit; ttl=\d+$/;

/** Waits until a number stays as it is. */
async function untilStill(read: () => number): Promise<void> {
  for (let last = -1; last !== read() || last === 0;) {
    last = read();
    await setTimeout(100);
  }
}

/** Begins to read an answer, until so many bytes of it have come. */
function beginReading(port: number, path: string, bytes: number): Promise<{ ended: Promise<void> }> {
  return new Promise((resolve, reject) => {
    http
      .get({ host: "127.0.0.1", port, path, agent: false }, (answer) => {
        const ended = new Promise<void>((end) => answer.on("end", end));
        let got = 0;
        answer.on("data", (piece: Buffer) => {
          got += piece.length;
          if (got === bytes) resolve({ ended });
        });
      })
      .on("error", reject);
  });
}
