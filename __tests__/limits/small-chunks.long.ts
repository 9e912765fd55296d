import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import { collectGarbage } from "../helpers/collect-garbage.ts";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";

// A proxy on Node's own streams keeps 21 MB.
const most = 14_000_000;
const chunks = Buffer.from("1\r\na\r\n".repeat(10_000));

const rows = engines.flatMap((engine) => [
  { ...engine, which: "an answer", policies: {} },
  { ...engine, which: "an answer for the cache", policies: { CacheOptions: { TtlSeconds: 60 } } },
]);

test.each(rows)("$name: $which in chunks of one byte that nobody takes is kept in less than 14 MB", async (row) => {
  const stalled = Promise.withResolvers<undefined>();
  const upstream = net.createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      let turnsAway = 0;
      const writing = setInterval(() => {
        turnsAway = socket.writableNeedDrain ? turnsAway + 1 : 0;
        if (turnsAway === 500) stalled.resolve(undefined);
        if (turnsAway === 0) socket.write(chunks);
      }, 1);
      socket.once("close", () => clearInterval(writing));
    });
  });
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  const target = { Host: "127.0.0.1", Port: (upstream.address() as AddressInfo).port };
  const route = { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [target] };
  const routes = [{ ...route, ...row.policies }];
  const running = await startGateway({ Routes: routes }, { engine: row.create() });
  const ask = async (): Promise<net.Socket> => {
    const client = net.connect(running.port, "127.0.0.1").pause();
    await once(client, "connect");
    client.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    return client;
  };
  const before = usedHeap();
  const client = await ask();
  await stalled.promise;
  const kept = usedHeap() - before;
  client.destroy();
  await running.close();
  upstream.close();
  expect(kept).toBeLessThan(most);
});

function usedHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
