import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { type GatewayConfig, parseConfig } from "../../src/index.ts";
import {
  accepted,
  askRaw,
  cleanUpLater,
  closeAll,
  closeCode,
  exchange,
  handshake,
  open,
  startEcho,
  startLive,
  startTcp,
} from "../websockets/live.ts";
import { createSignal, routeTo } from "./scene.ts";
import { namedCertificate } from "../simulator/self-signed.ts";

afterEach(closeAll);

function parse(routes: readonly object[], global: object = {}): GatewayConfig {
  return parseConfig({ Routes: routes, GlobalConfiguration: global }, { logger: false });
}

/** The route of the gateway as it is started. */
function roomsAt(port: number, more: object = {}): object {
  return routeTo(port, "/live/{room}", { DownstreamPathTemplate: "/rooms/{room}", DownstreamScheme: "ws", ...more });
}

describe("a WebSocket gets 1001 on both sides", () => {
  const rows: readonly [string, (port: number) => GatewayConfig][] = [
    ["when its route is removed", (port) => parse([routeTo(port, "/else")])],
    ["when its route is changed", (port) => parse([roomsAt(port, { Timeout: 7 })])],
    ["when a global setting changes its route", (port) => parse([roomsAt(port)], { Metadata: { a: "b" } })],
  ];

  test.each(rows)("%s", async (_when, next) => {
    const echo = await startEcho();
    const { url, gateway } = await startLive(echo.port);
    const socket = await open(url);
    const code = closeCode(socket);
    await gateway.reload(next(echo.port));
    expect(await code).toBe(1001);
    expect(echo.closes).toEqual([1001]);
  });

  test("also at the second reload after it was opened", async () => {
    const echo = await startEcho();
    const { url, gateway } = await startLive(echo.port);
    const socket = await open(url);
    const code = closeCode(socket);
    await gateway.reload(parse([routeTo(echo.port, "/first"), roomsAt(echo.port)]));
    await gateway.reload(parse([routeTo(echo.port, "/first")]));
    expect(await code).toBe(1001);
  });

  test("when its route goes while the upstream is still asked", async () => {
    const asked = createSignal();
    const answered = createSignal();
    const upstream = await startTcp((socket) => {
      socket.once("data", () => {
        asked.give();
        void answered.given.then(() => socket.write(accepted));
      });
    });
    const { port, gateway } = await startLive(upstream.port);
    const answer = askRaw(port, handshake());
    await asked.given;
    await gateway.reload(parse([routeTo(upstream.port, "/else")]));
    answered.give();
    expect(await answer).toMatchObject({ status: 101, rest: "\x88\x02\x03\xe9" });
  });
});

describe("a WebSocket stays open", () => {
  test("when only a certificate file of its route was written anew", async () => {
    const folder = await mkdtemp(join(tmpdir(), "waymark-reload-"));
    cleanUpLater(() => rm(folder, { recursive: true }));
    const file = join(folder, "ca.pem");
    await writeFile(file, namedCertificate("one"));
    const echo = await startEcho();
    const tls = { Tls: { Ca: file } };
    const { url, gateway } = await startLive(echo.port, { route: tls });
    const socket = await open(url);
    await writeFile(file, namedCertificate("two"));
    await gateway.reload(parse([roomsAt(echo.port, tls)]));
    expect((await exchange(socket, "still here")).message.toString()).toBe("still here");
    socket.terminate();
  });

  const rows: readonly [string, (port: number) => GatewayConfig][] = [
    ["when its route stays as it is", (port) => parse([roomsAt(port), routeTo(port, "/new")])],
    ["when its route moves to another index", (port) => parse([routeTo(port, "/new"), roomsAt(port)])],
    [
      "when a global setting changes that does not reach it",
      (port) => parse([roomsAt(port)], { BaseUrl: "http://a.b" }),
    ],
  ];

  test.each(rows)("%s", async (_when, next) => {
    const echo = await startEcho();
    const { url, gateway } = await startLive(echo.port);
    const socket = await open(url);
    await gateway.reload(next(echo.port));
    expect((await exchange(socket, "still here")).message.toString()).toBe("still here");
    expect(gateway.health()).toMatchObject({ sockets: 1, running: 0 });
    const closed = once(socket, "close");
    socket.close();
    await closed;
  });
});
