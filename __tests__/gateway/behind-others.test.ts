import { once } from "node:events";
import type { ServerResponse } from "node:http";
import net from "node:net";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import type { GatewayHandler } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { hurryUntil } from "../helpers/hurry.ts";
import { request } from "../helpers/send-raw.ts";
import { until } from "../reload/scene.ts";
import { get, startStreams } from "./start-streams.ts";

afterEach(() => void jest.useRealTimers());

describe.each(engines)("requests behind an answer that goes on, with $name,", ({ create }) => {
  test.each([
    { place: "of the route", limits: { Limits: { Concurrent: 4 } } },
    { place: "at the host", limits: { HttpHandlerOptions: { MaxConnectionsPerServer: 4 }, Timeout: 1 } },
  ])("take no place $place, and have their answers in order when it is over", async ({ limits }) => {
    const { port, streams, gateway, asked } = await startStreams(create, limits);
    const client = net.connect(port, "127.0.0.1").setEncoding("latin1");
    let received = "";
    client.on("data", (text: string) => (received += text));
    const behind = Array.from({ length: 60 }, (_, id) => `/fast/${id}`);
    client.write(get("/stream") + behind.map(get).join(""));
    await until(() => received.includes("</stream>"));
    for (let count = 0; count < 10; count += 1)
      expect((await request({ port, path: "/fast/other" })).body.toString()).toBe("</other>");
    expect(gateway.health().running).toBe(1);
    expect(asked).toEqual(["/stream", ...Array<string>(10).fill("/other")]);
    streams[0]!.end();
    await until(() => received.includes("</59>"));
    expect(received.match(/<\/\w+>/g)).toEqual(["</stream>", ...behind.map((_, id) => `</${id}>`)]);
    client.destroy();
  });

  test("are read no further where an earlier body, whose end comes with their head, fills its connection", async () => {
    const held: ServerResponse[] = [];
    const hold: GatewayHandler = (req, res, next) => {
      if (req.url === "/fast/held") held.push(res);
      else next();
    };
    const { port, server } = await startStreams(create, {}, { middleware: [hold] });
    const accepted = once(server, "connection") as Promise<[net.Socket]>;
    const client = net.connect(port, "127.0.0.1").setEncoding("latin1");
    const [served] = await accepted;
    let received = "";
    client.on("data", (text: string) => (received += text));
    const post = (path: string, length: number): string =>
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
    client.write(post("/fast/held", 70_000) + "a".repeat(60_000));
    await until(() => served.bytesRead > 60_000);
    const requested = once(server, "request");
    client.write("a".repeat(10_000) + post("/fast/last", 2_000_000));
    await requested;
    client.write(Buffer.alloc(2_000_000));
    for (let others = 0; others < 20; others += 1) await request({ port, path: "/fast/other" });
    expect(served.bytesRead).toBeLessThan(200_000);
    held[0]!.end("</held>");
    await until(() => received.includes("</last>"));
    await until(() => served.bytesRead > 2_000_000);
    client.destroy();
  });

  test("never begin behind the last answer of their connection", async () => {
    const held: (() => void)[] = [];
    const last: GatewayHandler = (_req, res, next) => {
      res.setHeader("Connection", "close");
      next();
    };
    const { gateway, asked, ...running } = await startStreams(create, {}, { middleware: [last] });
    running.server.removeAllListeners("request").on("request", (req, res) => {
      if (req.url === "/fast/held") held.push(() => gateway(req, res));
      else gateway(req, res);
    });
    const client = net.connect(running.port, "127.0.0.1").resume();
    client.write(get("/fast/first") + get("/fast/held"));
    await once(client, "close");
    for (const goOn of held) goOn();
    await request({ port: running.port, path: "/fast/other" });
    expect([held.length, asked]).toEqual([1, ["/first", "/other"]]);
  });

  test("are forgotten with their client", async () => {
    const { port, gateway, asked } = await startStreams(create);
    const client = net.connect(port, "127.0.0.1").on("error", () => undefined);
    client.write(get("/stream") + get("/fast/a").repeat(20));
    await once(client, "data");
    client.destroy();
    await until(() => gateway.health().running === 0);
    await request({ port, path: "/fast/other" });
    expect(asked).toEqual(["/stream", "/other"]);
  });

  test("are forgotten with a client whose leaving shows only by its silence, as a body waits", async () => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
    const { port, gateway, asked } = await startStreams(create);
    const client = net.connect(port, "127.0.0.1").on("error", () => undefined);
    client.write(`${get("/stream")}POST /fast/a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n`);
    await once(client, "data");
    client.write(Buffer.alloc(900_000));
    client.end();
    await hurryUntil(until(() => gateway.health().running === 0, 30_000));
    expect(asked).toEqual(["/stream"]);
  });
});
