import { afterEach, expect, test } from "@jest/globals";
import { EventEmitter, once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { connect } from "node:net";
import type { Fault, Reason } from "../../src/simulator/index.ts";
import { ask, closeAll, deadUrl, startReplica, startSimulator, startTcp } from "./network.ts";
import { selfSigned } from "./self-signed.ts";

afterEach(closeAll);

const headers = {
  "404 with header": { "X-ServiceFabric": "ResourceNotFound" },
  "404 with another": { "X-ServiceFabric": "NoRetry" },
};

/** A back-off that takes all the time there is: one try, then the time is used up. */
const untilTheEnd = 1e6;

/** A service whose first two answers have this status, all later ones 200. */
async function startUnsteady(status: number, answerHeaders: Record<string, string> = {}) {
  let count = 0;
  const replica = await startReplica("replica", (_, res) => {
    count += 1;
    if (count <= 2) res.writeHead(status, answerHeaders).end("unsteady");
    else res.end("steady");
  });
  const simulator = await startSimulator({ services: { S: { kind: "guest", address: replica.url } } });
  return { ...simulator, arrivals: replica.arrivals };
}

const unsteady: [string, number, Record<string, string>, number, number, string][] = [
  ["GET", 404, {}, 200, 3, "a 404 without the header may come from a replica that moved"],
  ["HEAD", 404, {}, 200, 3, "HEAD is repeated too"],
  ["OPTIONS", 404, {}, 200, 3, "and OPTIONS"],
  ["GET", 404, headers["404 with another"], 200, 3, "only the exact header says that the resource is missing"],
  ["GET", 404, { "X-ServiceFabric": "resourcenotfound" }, 200, 3, "in its exact case"],
  ["GET", 404, { "x-servicefabric": "ResourceNotFound" }, 404, 1, "the header's name has no case"],
  ["GET", 404, headers["404 with header"], 404, 1, "the service says that the resource is missing"],
  ["GET", 410, {}, 200, 3, "gone"],
  ["GET", 503, {}, 200, 3, "busy or gone"],
  ["GET", 503, headers["404 with header"], 200, 3, "the header counts for a 404 only"],
  ["POST", 404, {}, 404, 1, "what may have had an effect is not repeated"],
  ["PUT", 410, {}, 410, 1, "nor here"],
  ["DELETE", 503, {}, 503, 1, "nor here"],
  ["GET", 500, {}, 500, 1, "any other status is an answer"],
  ["GET", 403, {}, 403, 1, "any other status is an answer"],
];

test.each(unsteady)(
  "%s answered with %i %j ends as %i after %i tries: %s",
  async (method, first, answerHeaders, status, tries) => {
    const { port, arrivals, requests } = await startUnsteady(first, answerHeaders);
    expect((await ask(port, "/S/x", { method }))?.status).toBe(status);
    expect(arrivals).toHaveLength(tries);
    expect(requests()[0]?.attempts).toHaveLength(tries);
  },
);

test("a relayed 404 has its body", async () => {
  const { port } = await startUnsteady(404);
  expect(await ask(port, "/S/x", { method: "POST" })).toMatchObject({ status: 404, reason: "Not Found" });
});

test.each(["GET", "POST"])("a %s that nobody listens for is resolved again, body included", async (method) => {
  const replica = await startReplica("moved here");
  const dead = await deadUrl();
  const { port, addService, requests } = await startSimulator({
    services: { S: { kind: "guest", address: dead } },
    timeouts: { backoff: 0.05 },
  });
  const answer = ask(port, "/S/x", { method, body: "hello" });
  while ((requests()[0]?.attempts.length ?? 0) < 2) await new Promise((resolve) => setImmediate(resolve));
  addService("S", { kind: "guest", address: replica.url });
  expect(await answer).toMatchObject({ status: 200, body: "moved here" });
  expect(replica.arrivals).toMatchObject([{ body: method === "GET" ? "" : "hello" }]);
  expect(requests()[0]?.attempts[0]).toEqual({ url: `${dead}/x`, result: "unreachable" });
});

test.each([
  ["/S/x", { request: 0.1 }, "the default"],
  ["/S/x?Timeout=0", { request: 0.1 }, "zero is the default"],
  ["/S/x?Timeout=1", { request: 60 }, "the parameter"],
])("%s is tried until the time is used up, then 504 FABRIC_E_TIMEOUT: %s", async (target, timeouts) => {
  const { port } = await startSimulator({ services: { S: { kind: "guest", address: await deadUrl() } }, timeouts });
  expect(await ask(port, target, { method: "POST" })).toMatchObject({
    status: 504,
    reason: "FABRIC_E_TIMEOUT",
    body: "",
  });
});

test("a 404 without the header becomes a 504 when it stays", async () => {
  const replica = await startReplica("none", (_, res) => res.writeHead(404).end());
  const services = { S: { kind: "guest", address: replica.url } } as const;
  const { port } = await startSimulator({ services, timeouts: { request: 0.4, backoff: untilTheEnd } });
  expect(await ask(port, "/S/x")).toMatchObject({ status: 504, reason: "FABRIC_E_TIMEOUT", body: "" });
});

test.each(["/S/x", "/S/x?Timeout=9223372036854775807"])("%s waits for a slow answer", async (target) => {
  const { port } = await startUnsteady(200);
  expect((await ask(port, target))?.status).toBe(200);
});

test("no answer in time is 504 Reverse Proxy Timeout, and not repeated", async () => {
  const replica = await startReplica("silent", () => undefined);
  const services = { S: { kind: "guest", address: replica.url } } as const;
  const { port } = await startSimulator({ services, timeouts: { request: 0.05 } });
  expect(await ask(port, "/S/x")).toMatchObject({ status: 504, reason: "Reverse Proxy Timeout", body: "" });
  expect(replica.arrivals).toHaveLength(1);
});

const misbehaviours = {
  "a close": (socket: Socket) => socket.end(),
  "a reset": (socket: Socket) => socket.resetAndDestroy(),
  "no HTTP": (socket: Socket) => socket.end("what is this"),
  "a status of no kind": (socket: Socket) => socket.end("HTTP/1.1 099 Low\r\n\r\n"),
  "an upgrade": (socket: Socket) => socket.end("HTTP/1.1 101 Over\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
  "half a body": (socket: Socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"),
};

const misbehaved: [string, string, keyof typeof misbehaviours, string | null, string][] = [
  ["GET", "", "a close", "FABRIC_E_TIMEOUT", "nothing of a body was sent, so it is tried again"],
  ["DELETE", "", "a reset", "FABRIC_E_TIMEOUT", "whatever the method"],
  ["POST", "hello", "a close", null, "the body has left: the client is dropped"],
  ["GET", "", "half a body", "OK", "the answer has begun: the client is dropped"],
  ["GET", "", "no HTTP", "Internal Server Error", "nothing that could be relayed"],
  ["GET", "", "a status of no kind", "Internal Server Error", "nothing that could be relayed"],
  ["GET", "", "an upgrade", "Internal Server Error", "nobody asked for it"],
];

test.each(misbehaved)(
  "%s with the body %j, answered by %s, comes to %j: %s",
  async (method, body, answered, reason) => {
    const url = await startTcp((socket) => socket.once("data", () => misbehaviours[answered](socket)));
    const { port } = await startSimulator({
      services: { S: { kind: "guest", address: url } },
      timeouts: { request: 0.1, backoff: untilTheEnd },
    });
    const answer = await ask(port, "/S/x", { method, body });
    expect(answer === null ? null : answer.reason).toBe(reason);
  },
);

test("a chunked answer that breaks off never looks whole", async () => {
  const half = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n";
  const url = await startTcp((socket) => socket.once("data", () => socket.end(half)));
  const { port } = await startSimulator({ services: { S: { kind: "guest", address: url } } });
  const answer = await ask(port, "/S/x");
  expect(answer).toMatchObject({ status: 200, body: "4\r\nhalf\r\n" });
});

test("an https replica is called over TLS, whoever signed its certificate", async () => {
  const server = createServer(selfSigned, (_, res) => res.end("secret")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: securePort } = server.address() as AddressInfo;
  const address = { Web: `https://127.0.0.1:${securePort}` };
  const services = { S: { kind: "stateless", instances: [address] } } as const;
  const { port } = await startSimulator({ services, secureOnly: true });
  expect(await ask(port, "/S/x")).toMatchObject({ status: 200, body: "secret" });
  server.close();
});

test("a TLS handshake that fails is 502", async () => {
  const replica = await startReplica("plain");
  const address = replica.url.replace("http:", "https:");
  const { port } = await startSimulator({ services: { S: { kind: "guest", address } } });
  expect(await ask(port, "/S/x")).toMatchObject({ status: 502, reason: "SSL Handshake Failed", body: "" });
});

test("a client that leaves ends the tries", async () => {
  const settled = new EventEmitter();
  const { port, requests } = await startSimulator({
    services: { S: { kind: "guest", address: await deadUrl() } },
    timeouts: { request: 60, backoff: 60 },
    onRequest: (request) => settled.emit("request", request),
  });
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /S/x HTTP/1.1\r\nHost: a\r\n\r\n");
  while (requests().length === 0) await new Promise((resolve) => setImmediate(resolve));
  const left = once(settled, "request");
  socket.destroy();
  expect(await left).toMatchObject([{ url: "/S/x", status: undefined }]);
});

const unsuccessful: [Reason, number, Reason][] = [
  ["FABRIC_E_INVALID_ADDRESS", 400, "FABRIC_E_INVALID_ADDRESS"],
  ["FABRIC_E_INVALID_PARTITION_KEY", 400, "FABRIC_E_INVALID_PARTITION_KEY"],
  ["E_INVALIDARG", 400, "E_INVALIDARG"],
  ["FABRIC_E_SERVICE_DOES_NOT_EXIST", 404, "FABRIC_E_SERVICE_DOES_NOT_EXIST"],
  ["FABRIC_E_PARTITION_NOT_FOUND", 404, "FABRIC_E_PARTITION_NOT_FOUND"],
  ["FABRIC_E_ENDPOINT_NOT_FOUND", 404, "FABRIC_E_ENDPOINT_NOT_FOUND"],
  ["FABRIC_E_NAME_DOES_NOT_EXIST", 404, "FABRIC_E_NAME_DOES_NOT_EXIST"],
  ["FABRIC_E_MESSAGE_TOO_LARGE", 413, "FABRIC_E_MESSAGE_TOO_LARGE"],
  ["FABRIC_E_NOT_PRIMARY", 503, "FABRIC_E_NOT_PRIMARY"],
  ["E_ABORT", 503, "E_ABORT"],
  ["FABRIC_E_COMMUNICATION_ERROR", 504, "FABRIC_E_COMMUNICATION_ERROR"],
  ["FABRIC_E_TIMEOUT", 504, "FABRIC_E_TIMEOUT"],
  ["FABRIC_E_GATEWAY_NOT_REACHABLE", 504, "FABRIC_E_TIMEOUT"],
  ["FABRIC_E_SERVICE_TOO_BUSY", 504, "FABRIC_E_TIMEOUT"],
  ["FABRIC_E_SERVICE_OFFLINE", 504, "FABRIC_E_TIMEOUT"],
  ["NotFound", 504, "FABRIC_E_TIMEOUT"],
];

test.each(unsuccessful)("a resolution that fails with %s is %i %s", async (reason, status, seen) => {
  const replica = await startReplica("replica");
  const services = { S: { kind: "guest", address: replica.url } } as const;
  const { port, fault } = await startSimulator({ services, timeouts: { request: 0.05 } });
  fault("S", { kind: "resolve-error", reason });
  expect(await ask(port, "/S/x")).toMatchObject({ status, reason: seen, body: "" });
  expect(replica.arrivals).toEqual([]);
});

const faults: [string, Fault, number | null, number][] = [
  ["GET", { kind: "404-without-header", times: 2 }, 200, 3],
  ["GET", { kind: "410", times: 2 }, 200, 3],
  ["GET", { kind: "503", times: 2 }, 200, 3],
  ["GET", { kind: "dropped-socket", times: 2 }, 200, 3],
  ["GET", { kind: "primary-moving", times: 2 }, 200, 1],
  ["GET", { kind: "resolve-error", reason: "FABRIC_E_SERVICE_OFFLINE", times: 2 }, 200, 1],
  ["GET", { kind: "slow-answer", seconds: 0.01 }, 200, 1],
  ["POST", { kind: "404-without-header", times: 2 }, 404, 1],
  ["POST", { kind: "410", times: 2 }, 410, 1],
  ["POST", { kind: "503", times: 2 }, 503, 1],
  ["POST", { kind: "dropped-socket", times: 2 }, null, 1],
  ["POST", { kind: "primary-moving", times: 2 }, 200, 1],
  ["POST", { kind: "resolve-error", reason: "FABRIC_E_SERVICE_OFFLINE", times: 2 }, 200, 1],
  ["POST", { kind: "slow-answer", seconds: 0.01 }, 200, 1],
];

test.each(faults)("%s with the fault %j is %j after %i tries", async (method, fault, status, tries) => {
  const replica = await startReplica("replica");
  const partition = { kind: "Singleton", primary: replica.url } as const;
  const simulator = await startSimulator({ services: { "App/S": { kind: "stateful", partitions: [partition] } } });
  simulator.fault("fabric:/App/S", fault);
  const body = method === "POST" ? "hello" : "";
  expect((await ask(simulator.port, "/App/S/x", { method, body }))?.status ?? null).toBe(status);
  expect(simulator.requests()[0]?.attempts).toHaveLength(tries);
  expect(replica.arrivals).toHaveLength(status === 200 ? 1 : 0);
});

test("a fault that is not numbered lasts until it is cleared, and belongs to one service", async () => {
  const { url: address } = await startReplica("replica");
  const services = { A: { kind: "guest", address }, B: { kind: "guest", address } } as const;
  const { port, fault, clearFaults } = await startSimulator({ services });
  const statuses = async () => {
    const answers = [await ask(port, "/A", { method: "POST" }), await ask(port, "/B", { method: "POST" })];
    return answers.map((answer) => answer?.status);
  };
  fault("A", { kind: "503" });
  expect(await statuses()).toEqual([503, 200]);
  fault("B", { kind: "410" });
  expect(await statuses()).toEqual([503, 410]);
  clearFaults("A");
  expect(await statuses()).toEqual([200, 410]);
  clearFaults();
  expect(await statuses()).toEqual([200, 200]);
});

test("a primary that moves leaves the secondaries in service", async () => {
  const { url } = await startReplica("secondary");
  const partition = { kind: "Singleton", primary: await deadUrl(), secondaries: [url] } as const;
  const { port, fault } = await startSimulator({ services: { S: { kind: "stateful", partitions: [partition] } } });
  fault("S", { kind: "primary-moving" });
  expect((await ask(port, "/S?TargetReplicaSelector=RandomSecondaryReplica"))?.body).toBe("secondary");
});

test("an answer that is too slow is 504 Reverse Proxy Timeout", async () => {
  const replica = await startReplica("replica");
  const services = { S: { kind: "guest", address: replica.url } } as const;
  const { port, fault } = await startSimulator({ services, timeouts: { request: 0.05 } });
  fault("S", { kind: "slow-answer", seconds: 60 });
  expect(await ask(port, "/S/x")).toMatchObject({ status: 504, reason: "Reverse Proxy Timeout" });
});
