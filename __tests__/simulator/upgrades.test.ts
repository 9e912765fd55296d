import { afterEach, expect, test } from "@jest/globals";
import { once } from "node:events";
import { connect } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { ask, closeAll, deadUrl, exchangeBytes, startReplica, startSimulator, startTcp } from "./network.ts";

afterEach(closeAll);

const handshake = ["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="];
// The accept value of that key, from RFC 6455 1.3.
const accepted =
  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
  "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nServer: inner\r\n\r\n";

async function startEcho() {
  const replica = await startReplica("no web socket");
  const echo = new WebSocketServer({ server: replica.server, handleProtocols: () => "second" });
  const urls: (string | undefined)[] = [];
  echo.on("connection", (socket, request) => {
    urls.push(request.url);
    socket.on("message", (message, isBinary) => socket.send(message, { binary: isBinary }));
    socket.on("close", (code, reason) => closes.push([code, reason.toString()]));
  });
  const closes: [number, string][] = [];
  return { ...replica, urls, closes };
}

test("a WebSocket is relayed: path, query, subprotocol, messages, close", async () => {
  const { url, urls, closes } = await startEcho();
  const { port, requests } = await startSimulator({ services: { "App/Api": { kind: "guest", address: url } } });
  const socket = new WebSocket(`ws://127.0.0.1:${port}/App/Api/chat?PartitionKey=1&a=1`, ["first", "second"]);
  await once(socket, "open");
  expect(socket.protocol).toBe("second");
  expect(urls).toEqual(["/chat?a=1"]);
  for (const message of ["hello", "x".repeat(200_000)]) {
    socket.send(message);
    const [echoed] = (await once(socket, "message")) as [Buffer];
    expect(echoed.toString()).toBe(message);
  }
  socket.close(4001, "done");
  expect(await once(socket, "close")).toEqual([4001, Buffer.from("done")]);
  expect(closes).toEqual([[4001, "done"]]);
  expect(requests()).toMatchObject([{ status: 101, attempts: [{ url: `${url}/chat?a=1`, result: "101" }] }]);
});

test.each(["WebSocket", "WEBSOCKET"])("Upgrade: %s is a WebSocket too", async (value) => {
  const url = await startTcp((socket) => socket.once("data", () => socket.end(accepted)));
  const { port } = await startSimulator({ services: { S: { kind: "guest", address: url } } });
  const answer = await ask(port, "/S", {
    headers: [`Upgrade: ${value}`, "Connection: Upgrade", ...handshake.slice(1)],
  });
  expect(answer).toMatchObject({ status: 101, headers: { connection: "Upgrade", upgrade: "websocket" } });
  expect(answer?.headers).not.toHaveProperty("server");
});

test("an upgrade to anything else is an ordinary request", async () => {
  const replica = await startReplica("ordinary");
  const { port } = await startSimulator({ services: { S: { kind: "guest", address: replica.url } } });
  const headers = ["Connection: Upgrade", "Upgrade: h2c"];
  expect(await ask(port, "/S/x", { headers })).toMatchObject({ status: 200, body: "ordinary" });
  expect(replica.arrivals).toMatchObject([{ url: "/x" }]);
});

test("the handshake arrives with the forwarded headers", async () => {
  const heads: string[] = [];
  const url = await startTcp((socket) =>
    socket.once("data", (head: Buffer) => {
      heads.push(head.toString());
      socket.end(accepted);
    }),
  );
  const { port } = await startSimulator({ services: { S: { kind: "guest", address: url } } });
  await ask(port, "/S/x", { headers: [...handshake, "Connection: Upgrade", "Sec-WebSocket-Protocol: a, b"] });
  const lines = heads[0]!.split("\r\n");
  expect(lines[0]).toBe("GET /x HTTP/1.1");
  expect(lines).toEqual(
    expect.arrayContaining([
      `Host: ${url.replace("http://", "")}`,
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Protocol: a, b",
      "X-Forwarded-For: 127.0.0.1",
      "X-Forwarded-Host: gateway.test",
      "X-Forwarded-Proto: http",
    ]),
  );
});

test("bytes that come with the handshake are not lost, on either side", async () => {
  const url = await startTcp((socket) => {
    socket.once("data", () => {
      socket.write(`${accepted}first`);
      socket.once("data", (early: Buffer) => socket.end(`, then ${early.toString()}`));
    });
  });
  const { port } = await startSimulator({ services: { S: { kind: "guest", address: url } } });
  const head = ["GET /S HTTP/1.1", "Host: a", "Connection: Upgrade", ...handshake, "", ""].join("\r\n");
  expect(await exchangeBytes(port, `${head}early`)).toMatch(/\r\n\r\nfirst, then early$/);
});

test.each([
  ["HTTP/1.1 403 Forbidden\r\nX-Secret: 1\r\nContent-Length: 3\r\n\r\nno!", 403, 1, "a refusal keeps its status only"],
  ["HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes", 200, 1, "an ordinary answer too"],
  ["HTTP/1.1 404 X\r\nX-ServiceFabric: ResourceNotFound\r\nContent-Length: 0\r\n\r\n", 404, 1, "a missing resource"],
  ["HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n", 101, 3, "a replica that may have moved"],
  ["HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n", 101, 3, "a replica that may have moved"],
  ["HTTP/1.1 410 X\r\nContent-Length: 0\r\n\r\n", 101, 3, "a replica that has moved"],
  ["", 101, 3, "a dropped connection"],
  ["what is this", 101, 3, "no HTTP"],
])("a handshake answered with %j ends as %i after %i tries: %s", async (answer, status, tries) => {
  let count = 0;
  const url = await startTcp((socket) =>
    socket.once("data", () => {
      count += 1;
      socket.end(count <= 2 ? answer : accepted);
    }),
  );
  const { port } = await startSimulator({ services: { S: { kind: "guest", address: url } } });
  const got = await ask(port, "/S", { headers: [...handshake, "Connection: Upgrade"] });
  expect(got?.status).toBe(status);
  expect(count).toBe(tries);
  if (status === 101) return;
  expect(got).toMatchObject({ reason: "", body: "", headers: { "content-length": "0" } });
  expect(got?.headers).not.toHaveProperty("x-secret");
});

test.each([
  ["/None", 404, "FABRIC_E_SERVICE_DOES_NOT_EXIST", "no such service"],
  ["/Plain?PartitionKind=Named", 400, "FABRIC_E_INVALID_PARTITION_KEY", "no such partition"],
  ["/Plain?Timeout=x", 400, "FABRIC_E_INVALID_ADDRESS", "an ill-formed parameter"],
  ["/Dead", 504, "FABRIC_E_TIMEOUT", "nobody listens"],
  ["/Silent", 504, "FABRIC_E_TIMEOUT", "the handshake is not answered, and tried again"],
  ["/Tls", 502, "SSL Handshake Failed", "TLS fails"],
])("a handshake with %s is %i %s: %s", async (target, status, reason) => {
  const plain = await startReplica("plain");
  const { port } = await startSimulator({
    services: {
      Plain: { kind: "guest", address: plain.url },
      Dead: { kind: "guest", address: await deadUrl() },
      Silent: { kind: "guest", address: await startTcp(() => undefined) },
      Tls: { kind: "guest", address: plain.url.replace("http", "https") },
    },
    timeouts: { request: 0.1, webSocketOpen: 0.02 },
  });
  const answer = await ask(port, target, { headers: [...handshake, "Connection: Upgrade"] });
  expect(answer).toMatchObject({ status, reason, body: "" });
});

test.each(["404-without-header", "410", "503", "dropped-socket"] as const)(
  "a handshake survives the fault %s",
  async (kind) => {
    const url = await startTcp((socket) => socket.once("data", () => socket.end(accepted)));
    const { port, fault } = await startSimulator({ services: { S: { kind: "guest", address: url } } });
    fault("S", { kind, times: 2 });
    expect((await ask(port, "/S", { headers: [...handshake, "Connection: Upgrade"] }))?.status).toBe(101);
  },
);

test("when one side has ended, the other has the close time to follow", async () => {
  const url = await startTcp((socket) => socket.once("data", () => socket.write(accepted)));
  const services = { S: { kind: "guest", address: url } } as const;
  const { port } = await startSimulator({ services, timeouts: { webSocketClose: 0.05 } });
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.write(["GET /S HTTP/1.1", "Host: a", "Connection: Upgrade", ...handshake, "", ""].join("\r\n"));
  await once(socket, "data");
  socket.end();
  socket.resume();
  await once(socket, "end");
  socket.destroy();
});

test("a service that fails takes its tunnel with it", async () => {
  const url = await startTcp((socket) =>
    socket.once("data", () => {
      socket.write(accepted);
      socket.once("data", () => socket.resetAndDestroy());
    }),
  );
  const { port } = await startSimulator({ services: { S: { kind: "guest", address: url } } });
  const head = ["GET /S HTTP/1.1", "Host: a", "Connection: Upgrade", ...handshake, "", ""].join("\r\n");
  expect(await exchangeBytes(port, `${head}now`)).toMatch(/^HTTP\/1.1 101 /);
});

test("a WebSocket asked for behind a request under way cuts the connection, and nothing else", async () => {
  const replica = await startReplica("silent", () => undefined);
  const { port, requests } = await startSimulator({ services: { S: { kind: "guest", address: replica.url } } });
  const head = (...headers: readonly string[]) =>
    ["GET /S/x HTTP/1.1", "Host: gateway.test", ...headers, "", ""].join("\r\n");
  expect(await exchangeBytes(port, head() + head() + head("Connection: Upgrade", ...handshake))).toBe("");
  expect(requests().map(({ status }) => status)).toEqual([undefined, undefined]);
  const other = await startReplica("still there");
  const second = await startSimulator({ services: { S: { kind: "guest", address: other.url } } });
  expect(await ask(second.port, "/S/x")).toMatchObject({ status: 200, body: "still there" });
});
