import { once } from "node:events";
import http from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(answer: http.RequestListener) {
  const upstream = await startUpstream(answer);
  const running = await startGateway({
    Routes: [
      {
        UpstreamPathTemplate: "/{x}",
        DownstreamPathTemplate: "/{x}",
        DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      },
    ],
  });
  cleanups.push(upstream.close, running.close);
  return { ...running, upstream };
}

describe("closing a gateway", () => {
  test("lets running requests finish, refuses new ones, and is done only then", async () => {
    let finish = (): void => undefined;
    const { gateway, port, upstream } = await start((_req, res) => (finish = () => res.end("done")));
    const running = request({ port, path: "/slow" });
    await once(upstream.server, "request");
    const closed = gateway.close();
    const refused = await request({ port, path: "/late" });
    expect([refused.status, refused.headers.connection]).toEqual([503, "close"]);
    finish();
    expect((await running).body.toString()).toBe("done");
    await closed;
  });

  test("cuts off what outlives the grace time", async () => {
    const { gateway, port, upstream } = await start(() => undefined);
    const cut = expect(request({ port, path: "/never" })).rejects.toThrow("socket hang up");
    const [arrived] = (await once(upstream.server, "request")) as [http.IncomingMessage];
    const upstreamClosed = once(arrived.socket, "close");
    await gateway.close({ grace: 0 });
    await Promise.all([cut, upstreamClosed]);
  });

  test("may be asked for twice, and closes kept connections to upstreams", async () => {
    const { gateway, port, upstream } = await start((_req, res) => res.end());
    await request({ port, path: "/once" });
    await Promise.all([gateway.close(), gateway.close()]);
    const open = await new Promise((resolve) => upstream.server.getConnections((_error, count) => resolve(count)));
    expect(open).toBeLessThanOrEqual(1);
  });
});
