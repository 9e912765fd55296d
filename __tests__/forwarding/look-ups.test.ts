import { AsyncLocalStorage } from "node:async_hooks";
import { PerformanceObserver } from "node:perf_hooks";
import { describe, expect, test } from "@jest/globals";
import { lookUpBy } from "../../src/forwarding/forbidden-address-behind-name.ts";
import { lookUp } from "../../src/forwarding/look-up.ts";
import { engines } from "../helpers/engines.ts";
import { sendBytes } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

type LookupEntry = Readonly<{ detail: Readonly<{ hostname: string }> }>;

/** Collects the names that the system is asked for, as Node itself tells of them. */
function watchLookups(): Readonly<{ names: readonly string[]; stop: () => void }> {
  const names: string[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as readonly LookupEntry[]) names.push(entry.detail.hostname);
  });
  observer.observe({ entryTypes: ["dns"] });
  return { names, stop: () => observer.disconnect() };
}

describe.each(engines)("connections to a host by its name, $name", ({ create }) => {
  // The system looks up two names at a time: one that DNS does not answer must not take the place of others as well.
  test("share one lookup, if they begin at the same time", async () => {
    const upstream = await startUpstream();
    const hosts = [{ Host: "localhost", Port: upstream.port }];
    const route = { UpstreamPathTemplate: "/{id}", DownstreamPathTemplate: "/{id}", DownstreamHostAndPorts: hosts };
    const { port, close } = await startGateway({ Routes: [route] }, { engine: create() });
    const { names, stop } = watchLookups();
    // In one packet, so that the gateway has all of them at once.
    const received = await sendBytes(port, `${"GET /x HTTP/1.1\r\nHost: a\r\n\r\n".repeat(8)}GET / HTTP/1.0\r\n\r\n`);
    expect(received.match(/200 OK/g)).toHaveLength(9);
    // Node tells of lookups a turn later.
    while (names.length === 0) await new Promise(setImmediate);
    expect(names).toEqual(["localhost"]);
    stop();
    await close();
    await upstream.close();
  });
});

// What a handler makes of a body is read as the connection opens, and may hold a key of the client that the app knows by this.
test("whoever shares a lookup gets its answer for the client that the connection is for", async () => {
  const asking = new AsyncLocalStorage<string>();
  const clients = ["ann", "ben", "cleo"];
  const seen = await Promise.all(
    clients.map((client) =>
      asking.run(client, () => new Promise((resolve) => lookUp("localhost", {}, () => resolve(asking.getStore())))),
    ),
  );
  expect(seen).toEqual(clients);
});

// A provider told the name, so that its addresses are looked at: of one that there is none for, Node tells the error alone.
test("a name that nobody knows fails at once, also where its addresses are judged", async () => {
  const settings = { connectTimeout: 5_000, tls: undefined, allowedAddresses: [] };
  const failing = new Promise((resolve) => lookUpBy(settings)("nobody-knows.invalid", {}, (error) => resolve(error)));
  expect(await failing).toMatchObject({ syscall: "getaddrinfo" });
});
