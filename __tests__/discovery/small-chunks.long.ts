import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { createRegistryClient } from "../../src/discovery/registries/registry-client.ts";
import { collectGarbage } from "../helpers/collect-garbage.ts";

const chunks = "1\r\n \r\n".repeat(60_000);

test("answers of a registry in chunks of one byte, 20 at a time, are kept in less than 30 MB", async () => {
  const registry = net.createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`);
    });
  });
  await once(registry.listen(0, "127.0.0.1"), "listening");
  const { port } = registry.address() as AddressInfo;
  const client = createRegistryClient({ scheme: "http", host: "127.0.0.1", port });
  const leaving = new AbortController();
  const before = usedHeap();
  const question = { path: "/", within: 60_000, signal: leaving.signal };
  const asked = Array.from({ length: 20 }, () => client.ask(question).catch(() => undefined));
  await wait(3_000);
  const kept = usedHeap() - before;
  leaving.abort();
  await Promise.all(asked);
  client.close();
  registry.close();
  expect(kept).toBeLessThan(30_000_000);
});

function usedHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
