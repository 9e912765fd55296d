import { once } from "node:events";
import net from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import zlib from "node:zlib";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { metadataResponder } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const clientCount = 30;
const keys = ["a", "b", "c", "d"];
const text = `[${'{"a":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},'.repeat(600_000)}{}]`;
let upstream: Upstream;

beforeAll(async () => {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = zlib.constants;
  const params = { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_LGWIN]: 24 };
  const body = zlib.brotliCompressSync(text, { params });
  upstream = await startUpstream((_req, res) => {
    res.setHeader("content-type", "application/json").setHeader("content-encoding", "br").end(body);
  });
});

afterAll(() => upstream.close());

/** Asks, and reads nothing of the answer. */
async function askOnly(port: number, path: string): Promise<net.Socket> {
  const socket = net.connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket.pause();
}

const answers = engines.flatMap((engine) => ["/a", "/all"].map((path) => ({ ...engine, path })));

test.each(answers)(
  "Compressed answers that nobody reads take little memory together, and one that is read comes all the same ($name, $path)",
  async ({ create, path }) => {
    const Routes = keys.map((Key) => ({
      Key,
      Metadata: { a: "b" },
      UpstreamPathTemplate: `/${Key}`,
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    }));
    const config = { Routes, Aggregates: [{ UpstreamPathTemplate: "/all", RouteKeys: keys }] };
    const gateway = await startGateway(config, {
      engine: create(),
      responder: metadataResponder(),
    });
    const before = process.memoryUsage.rss();
    const unread = await Promise.all(Array.from({ length: clientCount }, () => askOnly(gateway.port, path)));
    let most = 0;
    for (let looks = 0; looks < 50; looks += 1) {
      await wait(100);
      most = Math.max(most, process.memoryUsage.rss() - before);
    }
    const { status, body } = await request({ port: gateway.port, path });
    for (const socket of unread) socket.destroy();
    await gateway.close();

    expect({ status, isWhole: body.length > text.length }).toEqual({ status: 200, isWhole: true });
    expect(most / 1_048_576).toBeLessThan(330);
  },
  60_000,
);
