import http from "node:http";
import type { Socket } from "node:net";
import { describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { isLong, takingTurns } from "../fuzz/bounds.ts";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const routeTo = (port: number) => ({
  Routes: [
    {
      UpstreamPathTemplate: "/{x}",
      DownstreamPathTemplate: "/{x}",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
    },
  ],
});

const closings: readonly Readonly<{ name: string; count: number; close: (socket: Socket) => void }>[] = [
  {
    name: "a moment after each answer",
    count: isLong ? 600 : 300,
    close: (socket) => void setTimeout(() => socket.destroy(), 2),
  },
  { name: "at once, without having said so", count: 200, close: (socket) => void setImmediate(() => socket.destroy()) },
  { name: "with a FIN, after each answer", count: 200, close: (socket) => void setImmediate(() => socket.end()) },
];

/** Upstreams close kept connections when they like, also just as these are used again. */
describe.each(engines)("kept connections that close under load: $name", ({ create, turn }) => {
  // In the short form each way to close is met by one engine.
  test.each(takingTurns(closings, engines.length, turn))("$name: $count requests succeed", async ({ count, close }) => {
    const upstream = await startUpstream((req, res) => {
      res.end(req.url);
      res.on("finish", () => close(req.socket));
    });
    const running = await startGateway(routeTo(upstream.port), { engine: create() });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 20 });
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) => request({ port: running.port, path: `/${index}`, agent })),
    );
    expect(answers.map(({ status, body }) => `${status} ${body.toString()}`)).toEqual(
      answers.map((_, index) => `200 /${index}`),
    );
    agent.destroy();
    await running.close();
    await upstream.close();
  });
});
