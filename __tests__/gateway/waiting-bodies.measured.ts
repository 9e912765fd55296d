import type { ServerResponse } from "node:http";
import net from "node:net";
import { expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";
import { until } from "../reload/scene.ts";

const chunks = `${"1\r\na\r\n".repeat(60_000)}0\r\n\r\n`;
const post = `POST /short HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`;

test.each(engines)(
  "bodies in chunks of a byte that wait behind an answer take little memory, $name",
  async ({ create }) => {
    const streams: ServerResponse[] = [];
    const upstream = await startUpstream((req, res) => {
      if (req.url === "/stream") streams.push(res.writeHead(200));
      res.write(`<${req.url}>`);
      if (req.url !== "/stream") res.end();
    });
    const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: upstream.port }];
    const route = { UpstreamPathTemplate: "/{x}", DownstreamPathTemplate: "/{x}", DownstreamHostAndPorts };
    const running = await startGateway({ Routes: [route] }, { engine: create() });
    const clients = Array.from({ length: 4 }, () => net.connect(running.port, "127.0.0.1").setEncoding("latin1"));
    let received = "";
    for (const client of clients) client.on("data", (text: string) => (received += text));
    const before = process.memoryUsage().rss;
    for (const client of clients) client.write(`GET /stream HTTP/1.1\r\nHost: a\r\n\r\n${post.repeat(20)}`);
    await until(() => received.split("</stream>").length > clients.length);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
    for (const stream of streams) stream.end();
    await until(() => received.split("</short>").length > clients.length * 20, 60_000);
    for (const client of clients) client.destroy();
    await running.close();
    await upstream.close();
  },
);
