import { once } from "node:events";
import http from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";
import { watchProcess } from "../helpers/watch-process.ts";

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

  test.each([
    [NaN, "NaN"],
    [-1, "-1"],
    [-Infinity, "-Infinity"],
    ["10", '"10"'],
    [null, "null"],
    [true, "true"],
    [10n, "10"],
    [{}, "an object"],
  ])("refuses a grace of %p by name, and can still be closed", async (grace, received) => {
    const disturbances = watchProcess();
    const { gateway, port } = await start((_req, res) => res.end());
    const message = `Invalid option "grace" of gateway.close(): expected seconds, 0 or more, received ${received}. `;
    await expect(gateway.close({ grace: grace as number })).rejects.toMatchObject({
      code: "option-invalid",
      message: expect.stringContaining(message),
    });
    expect((await request({ port, path: "/on" })).status).toBe(200);
    await gateway.close();
    await new Promise<void>((resolve) => void setImmediate(resolve));
    disturbances.stop();
    expect(disturbances.take()).toEqual([]);
  });

  test.each([Infinity, Number.MAX_VALUE, 3e6])("waits with a grace of %p until a request is over", async (grace) => {
    const disturbances = watchProcess();
    let finish = (): void => undefined;
    const { gateway, port, upstream } = await start((_req, res) => (finish = () => res.end("done")));
    const running = request({ port, path: "/slow" });
    await once(upstream.server, "request");
    const closed = gateway.close({ grace });
    expect((await request({ port, path: "/late" })).status).toBe(503);
    finish();
    expect((await running).body.toString()).toBe("done");
    await closed;
    disturbances.stop();
    expect(disturbances.take()).toEqual([]);
  });

  test("takes what an event hands to its listeners for no options", async () => {
    const { gateway } = await start((_req, res) => res.end());
    await (gateway.close as (signal: string, number: number) => Promise<void>)("SIGTERM", 15);
    expect(gateway.health().status).toBe("closing");
  });

  test("may be asked for twice, and closes kept connections to upstreams", async () => {
    const { gateway, port, upstream } = await start((_req, res) => res.end());
    await request({ port, path: "/once" });
    await Promise.all([gateway.close(), gateway.close()]);
    const open = await new Promise((resolve) => upstream.server.getConnections((_error, count) => resolve(count)));
    expect(open).toBeLessThanOrEqual(1);
  });
});
