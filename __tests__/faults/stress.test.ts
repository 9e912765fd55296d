import http from "node:http";
import { describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
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

/** Upstreams close kept connections when they like, also just as these are used again. */
describe.each(engines)("kept connections that close under load: $name", ({ create }) => {
  test.each([
    [
      "after each answer, a moment later",
      (socket: http.IncomingMessage["socket"]) => void setTimeout(() => socket.destroy(), 2),
    ],
    [
      "at once, without having said so",
      (socket: http.IncomingMessage["socket"]) => void setImmediate(() => socket.destroy()),
    ],
    [
      "with a FIN, after each answer",
      (socket: http.IncomingMessage["socket"]) => void setImmediate(() => socket.end()),
    ],
  ])("%s: 600 requests succeed", async (_name, close) => {
    const upstream = await startUpstream((req, res) => {
      res.end(req.url);
      res.on("finish", () => close(req.socket));
    });
    const running = await startGateway(routeTo(upstream.port), { engine: create() });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 20 });
    const answers = await Promise.all(
      Array.from({ length: 600 }, (_, index) => request({ port: running.port, path: `/${index}`, agent })),
    );
    expect(answers.map(({ status, body }) => `${status} ${body.toString()}`)).toEqual(
      answers.map((_, index) => `200 /${index}`),
    );
    agent.destroy();
    await running.close();
    await upstream.close();
  });
});
