import { afterEach, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { once } from "node:events";
import { connect } from "node:net";
import { createNamingSimulator, type Fault, type Service } from "../../src/simulator/index.ts";
import { ask, closeAll, deadUrl, startReplica, startSimulator, startTcp } from "./network.ts";
import { isLong } from "../fuzz/bounds.ts";

afterEach(closeAll);

test("the port is 19081 unless another is asked for", async () => {
  const simulator = createNamingSimulator();
  // Somebody else may have the port: then the error names it.
  const listening = await simulator.listen().catch((error: unknown) => error as { port: number });
  expect(listening.port).toBe(19081);
  await simulator.close();
});

test("it closes whatever is open: waiting requests, streams, web sockets, idle connections", async () => {
  const stream = await startReplica("stream", (_, res) => void res.write("begun"));
  const silent = await startReplica("silent", () => undefined);
  const webSocket = await startTcp((socket) =>
    socket.once("data", () =>
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"),
    ),
  );
  const simulator = await startSimulator({
    services: {
      Stream: { kind: "guest", address: stream.url },
      Silent: { kind: "guest", address: silent.url },
      WebSocket: { kind: "guest", address: webSocket },
      Dead: { kind: "guest", address: await deadUrl() },
    },
    timeouts: { request: 60, backoff: 60 },
  });
  const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
  const clients = [
    ["/Stream", ""],
    ["/WebSocket", upgrade],
    ["/Silent", ""],
    ["/Silent", upgrade],
    ["/Dead", ""],
    ["/None", ""],
  ].map(([target, headers]) => {
    const socket = connect(simulator.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
    return socket;
  });
  await Promise.all([once(clients[0]!, "data"), once(clients[1]!, "data"), once(clients[5]!, "data")]);
  while (simulator.requests().length < 6) await new Promise((resolve) => setImmediate(resolve));
  const closed = Promise.all(clients.map((client) => once(client.resume(), "close")));
  await simulator.close();
  await closed;
});

test("it closes twice, and before it listens", async () => {
  const simulator = createNamingSimulator({ port: 0 });
  await simulator.close();
  await simulator.close();
});

test("a port that is taken is an error of listen", async () => {
  const { port } = await startSimulator({});
  await expect(createNamingSimulator({ port }).listen()).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test.each<[how: string, onRequest: () => unknown]>([
  [
    "throws",
    () => {
      throw new Error("mine");
    },
  ],
  ["rejects", () => Promise.reject(new Error("mine"))],
])("an onRequest that %s is a warning", async (_how, onRequest) => {
  const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const { port } = await startSimulator({ onRequest });
  expect(await ask(port, "/None")).toMatchObject({ status: 404 });
  expect(warn.mock.calls).toEqual([["onRequest of the naming simulator threw: Error: mine"]]);
  warn.mockRestore();
});

test.each([
  "\r\n\r\n",
  "garbage\r\n\r\n",
  "GET\r\n\r\n",
  "GET /S HTTP/1.1\r\n\r\n",
  "GET /S HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
  "POST /S HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
  "\x16\x03\x01\x00\x05hello",
])("after the bytes %j from one client it serves the next", async (bytes) => {
  const { url } = await startReplica("alive");
  const { port } = await startSimulator({ services: { S: { kind: "guest", address: url } } });
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  socket.end(bytes, "latin1");
  await once(socket.resume(), "close");
  expect((await ask(port, "/S/x"))?.body).toBe("alive");
});

test("a client that leaves in the middle of its body, or of its answer, does no harm", async () => {
  const replica = await startReplica("alive", (req, res) => {
    if (req.url === "/endless") res.write("x".repeat(1_000_000));
    else res.end("alive");
  });
  const { port } = await startSimulator({ services: { S: { kind: "guest", address: replica.url } } });
  const uploading = connect(port, "127.0.0.1");
  uploading.write("POST /S/up HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf");
  const reading = connect(port, "127.0.0.1");
  reading.write("GET /S/endless HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(reading, "data");
  const left = [uploading, reading].map((socket) => once(socket.destroy(), "close"));
  await Promise.all(left);
  expect((await ask(port, "/S/x"))?.body).toBe("alive");
});

test("any target is answered, and what is forwarded keeps its bytes", async () => {
  const replica = await startReplica("alive");
  const services = { "App/Api": { kind: "guest", address: replica.url } } as const;
  const { port } = await startSimulator({ services, timeouts: { request: 0.05 } });
  const pieces = [
    "%",
    "%2F",
    "%zz",
    "%c3%28",
    "%00",
    "/",
    "//",
    "..",
    "App",
    "Api",
    "a",
    "?",
    "&",
    "=",
    "$",
    "+",
    "|",
    "~",
  ];
  const names = [
    "PartitionKind=",
    "PartitionKey=",
    "ServiceName=",
    "fabric:/",
    "Timeout=",
    "-1",
    "Named",
    ":",
    "\\",
    "{",
  ];
  const removed = new Set(["PartitionKind", "PartitionKey", "ServiceName"]);
  const split = (url: string) => [url.split("?")[0]!, url.split("?").slice(1).join("?")] as const;
  const target = fc.array(fc.constantFrom(...pieces, ...names), { maxLength: 12 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("/", "/App/Api/", "/App/Api?"), target, async (front, rest) => {
      replica.arrivals.length = 0;
      const answer = await ask(port, front + rest);
      expect([200, 400, 404, 504]).toContain(answer?.status);
      const [path, query] = split(front + rest);
      for (const { url } of replica.arrivals) {
        const remaining = path.startsWith("/App/Api") ? path.slice("/App/Api".length) : path;
        const kept = query.split("&").filter((parameter) => !removed.has(parameter.split("=")[0]!));
        expect(split(url)).toEqual([remaining.startsWith("/") ? remaining : `/${remaining}`, kept.join("&")]);
      }
    }),
    { seed: 19081, numRuns: isLong ? 300 : 150 },
  );
});

const badServices: [string, unknown, RegExp][] = [
  ["", { kind: "guest", address: "http://a" }, /service name ""/],
  ["App//Api", { kind: "guest", address: "http://a" }, /service name "App\/\/Api"/],
  ["App/Api/", { kind: "guest", address: "http://a" }, /service name "App\/Api\/"/],
  ["App/A+B", { kind: "guest", address: "http://a" }, /none of \$ \+ \| ~/],
  ["S", { kind: "actor" }, /expected kind "stateless", "stateful" or "guest", received {"kind":"actor"}/],
  ["S", { kind: "stateful", partitions: [] }, /all partitions of a service have the same kind, received \[\]/],
  ["S", { kind: "stateful", partitions: [{ kind: "Singleton" }, { kind: "Named", name: "a" }] }, /the same kind/],
  ["S", { kind: "stateful", partitions: [{ kind: "Singleton" }, { kind: "Singleton" }] }, /one partition, received 2/],
  ["S", { kind: "stateful", partitions: [{ kind: "Uniform" }] }, /received "Uniform"/],
  ["S", { kind: "stateful", partitions: [{ kind: "Int64Range", low: 1, high: 0 }] }, /received 1 to 0/],
  ["S", { kind: "stateful", partitions: [{ kind: "Int64Range", low: 0, high: 2 ** 63 }] }, /a 64-bit integer/],
  ["S", { kind: "stateful", partitions: [{ kind: "Int64Range", low: 0, high: 2 ** 53 }] }, /as text beyond 2\^53/],
  ["S", { kind: "stateful", partitions: [{ kind: "Int64Range", low: 0, high: "ten" }] }, /received "ten"/],
];

test.each(badServices)("the service %j %j is refused: %s", (name, service, message) => {
  expect(() => createNamingSimulator({ services: { [name]: service as Service } })).toThrow(message);
  expect(() => createNamingSimulator().addService(name, service as Service)).toThrow(message);
});

const badFaults: [string, unknown, RegExp][] = [
  ["T", { kind: "410" }, /Unknown service "T": expected one of \["S"\]/],
  ["S", { kind: "418" }, /expected "kind" to be one of .*"410".* received {"kind":"418"}/],
  ["S", { kind: "410", times: 0 }, /"times" to be greater than 0/],
  ["S", { kind: "slow-answer" }, /"seconds" from 0 up/],
  ["S", { kind: "resolve-error", reason: "Nope" }, /"reason" to be one of .*"FABRIC_E_TIMEOUT"/],
];

test.each(badFaults)("on %j the fault %j is refused: %s", (name, fault, message) => {
  const { fault: set } = createNamingSimulator({ services: { S: { kind: "guest", address: "http://a" } } });
  expect(() => set(name, fault as Fault)).toThrow(message);
});
