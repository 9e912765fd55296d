import { afterEach, expect, test } from "@jest/globals";
import { request } from "node:http";
import type { RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { ask, closeAll, exchangeBytes, startReplica, startSimulator, startTcp } from "./network.ts";

afterEach(closeAll);

async function startService(answer?: RequestListener) {
  const replica = await startReplica("answered", answer);
  const simulator = await startSimulator({ services: { "App/Api": { kind: "guest", address: replica.url } } });
  return { ...simulator, replica, authority: replica.url.replace("http://", "") };
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => rawHeaders[index - 1]?.toLowerCase() === name && index % 2 === 1);
}

test.each([
  [["Keep-Alive: 5"], "keep-alive", [], "belongs to the connection"],
  [["Proxy-Authenticate: Basic"], "proxy-authenticate", [], "belongs to the connection"],
  [["Authorization: Bearer a.b"], "authorization", ["Bearer a.b"], "passes"],
  [["Proxy-Authorization: Basic x"], "proxy-authorization", ["Basic x"], "is not on the list"],
  [["X-Client-Certificate: abc"], "x-client-certificate", ["abc"], "a client's own passes: none is added or removed"],
  [[], "x-client-certificate", [], "none is added"],
  [[], "x-forwarded-for", ["127.0.0.1"], "the client's address"],
  [["X-Forwarded-For: 9.9.9.9"], "x-forwarded-for", ["9.9.9.9, 127.0.0.1"], "appended"],
  [["X-Forwarded-For: 1", "x-forwarded-for: 2"], "x-forwarded-for", ["1, 2, 127.0.0.1"], "repeats are joined"],
  [[], "x-forwarded-host", ["gateway.test"], "the Host that was asked for"],
  [["X-Forwarded-Host: public.test"], "x-forwarded-host", ["public.test, gateway.test"], "appended"],
  [["X-Forwarded-Proto: https"], "x-forwarded-proto", ["http"], "overwritten"],
  [[], "x-forwarded-prefix", [], "not added"],
  [["X-Forwarded-Prefix: /p"], "x-forwarded-prefix", ["/p"], "not touched"],
  [["X-Twice: 1", "X-Twice: 2"], "x-twice", ["1", "2"], "repeats stay apart"],
  [["X-Empty:"], "x-empty", [""], "empty values pass"],
  [["X-Bytes: \xe4\xff"], "x-bytes", ["\xe4\xff"], "byte for byte"],
  [["Upgrade: h2c"], "upgrade", ["h2c"], "an upgrade to anything else is an ordinary request"],
])("request headers %j arrive as %s %j: %s", async (headers, name, values) => {
  const { port, replica } = await startService();
  expect((await ask(port, "/App/Api/x", { headers }))?.body).toBe("answered");
  expect(valuesOf(replica.arrivals[0]!.rawHeaders, name)).toEqual(values);
});

test("Host is the replica's, the client's Connection is dropped, names keep their spelling", async () => {
  const { port, replica, authority } = await startService();
  await ask(port, "/App/Api/x", { headers: ["x-SpElT: 1", "Connection: x-spelt"] });
  const { rawHeaders } = replica.arrivals[0]!;
  expect(valuesOf(rawHeaders, "host")).toEqual([authority]);
  expect(valuesOf(rawHeaders, "connection")).toEqual(["close"]);
  expect(rawHeaders).toContain("x-SpElT");
});

test.each([
  ["POST", "hello", ["5"], [], "hello"],
  ["PUT", "hello", ["5"], [], "hello"],
  ["DELETE", "hello", ["5"], [], "hello"],
  ["OPTIONS", "hello", ["5"], [], "hello"],
  ["GET", "hello", [], [], ""],
  ["POST", "", ["0"], [], ""],
  ["DELETE", "", [], [], ""],
])(
  "%s with the body %j arrives with lengths %j, codings %j and the body %j",
  async (method, body, lengths, codings, arrived) => {
    const { port, replica } = await startService();
    expect((await ask(port, "/App/Api/x", { method, body }))?.status).toBe(200);
    const [arrival] = replica.arrivals;
    expect(arrival).toMatchObject({ method, body: arrived });
    expect(valuesOf(arrival!.rawHeaders, "content-length")).toEqual(lengths);
    expect(valuesOf(arrival!.rawHeaders, "transfer-encoding")).toEqual(codings);
  },
);

test.each([
  ["POST", ["chunked"], "hello"],
  ["GET", [], ""],
])("a chunked %s arrives with codings %j and the body %j", async (method, codings, arrived) => {
  const { port, replica } = await startService();
  const headers = ["Transfer-Encoding: chunked"];
  const head = [`${method} /App/Api/x HTTP/1.1`, "Host: gateway.test", "Connection: close", ...headers, "", ""].join(
    "\r\n",
  );
  expect(await exchangeBytes(port, `${head}5\r\nhello\r\n0\r\n\r\n`)).toContain("answered");
  expect(valuesOf(replica.arrivals[0]!.rawHeaders, "transfer-encoding")).toEqual(codings);
  expect(replica.arrivals[0]!.body).toBe(arrived);
});

test("a connection goes on after a GET whose body was not forwarded", async () => {
  const { port, replica } = await startService();
  const first = "GET /App/Api/1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";
  const second = "GET /App/Api/2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  await exchangeBytes(port, first + second);
  expect(replica.arrivals.map(({ url, body }) => [url, body])).toEqual([
    ["/1", ""],
    ["/2", ""],
  ]);
});

test("an answer passes: status, reason phrase, headers as they are spelt, body", async () => {
  const raw =
    "HTTP/1.1 302 Over There\r\nLocation: http://inner:1/x\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n" +
    "Date: long ago\r\nServer: inner/1\r\nX-ServiceFabric: ResourceNotFound\r\nContent-Length: 3\r\n\r\nyes";
  const url = await startTcp((socket) => socket.once("data", () => socket.write(raw)));
  const { port } = await startSimulator({ services: { S: { kind: "guest", address: url } } });
  const answer = await ask(port, "/S/x");
  expect(answer).toMatchObject({ status: 302, reason: "Over There", body: "yes" });
  expect(answer?.headerLines).toEqual(
    expect.arrayContaining([
      "Location: http://inner:1/x",
      "Set-Cookie: a=1",
      "set-cookie: b=2",
      "X-ServiceFabric: ResourceNotFound",
    ]),
  );
  expect(answer?.headers).not.toHaveProperty("server");
  expect(answer?.headers.date).not.toBe("long ago");
});

test.each([
  ["Content-Length: 3\r\n\r\nabc", { "content-length": "3" }, "abc"],
  [
    "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    { "transfer-encoding": "chunked" },
    "3\r\nabc\r\n0\r\n\r\n",
  ],
])("the framing %j is kept", async (raw, headers, body) => {
  const url = await startTcp((socket) => socket.once("data", () => socket.write(`HTTP/1.1 200 OK\r\n${raw}`)));
  const { port } = await startSimulator({ services: { S: { kind: "guest", address: url } } });
  expect(await ask(port, "/S/x")).toMatchObject({ headers, body });
});

test("HEAD keeps the length of the answer it has no body of", async () => {
  const { port } = await startService((_, res) => res.writeHead(200, { "Content-Length": "7" }).end());
  expect(await ask(port, "/App/Api/x", { method: "HEAD" })).toMatchObject({
    status: 200,
    headers: { "content-length": "7" },
    body: "",
  });
});

test("the first bytes of a stream arrive before its end", async () => {
  const { port } = await startService((req, res) => {
    res.writeHead(200, { "Content-Type": "text/event-stream" });
    res.flushHeaders();
    if (req.url === "/now") res.write("data: 1\n\n");
  });
  const begun = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const asked = request({ port, path, agent: false }, (answer) => {
        resolve(String(answer.headers["content-type"]));
        asked.destroy();
      });
      asked.on("error", reject).end();
    });
  expect(await begun("/App/Api/now")).toBe("text/event-stream");
  expect(await begun("/App/Api/later")).toBe("text/event-stream");
});

test("a large body passes both ways", async () => {
  const { port } = await startService((req, res) =>
    res.end(`${"b".repeat(3_000_000)}${String(req.headers["content-length"])}`),
  );
  const answer = await new Promise<string>((resolve, reject) => {
    const asked = request({
      port,
      path: "/App/Api/x",
      method: "POST",
      headers: { "Content-Length": "3000000" },
      agent: false,
    });
    asked.on("response", (message) => void text(message).then(resolve, reject)).on("error", reject);
    asked.end("a".repeat(3_000_000));
  });
  expect(answer).toHaveLength(3_000_007);
  expect(answer).toMatch(/b3000000$/);
});

test("what was sent where is kept, and told before the answer", async () => {
  const replica = await startReplica("answered");
  const told: unknown[] = [];
  const { port, requests } = await startSimulator({
    services: { "App/Api": { kind: "guest", address: `${replica.url}/base` } },
    keepRequests: 2,
    onRequest: ({ url }) => told.push(url),
  });
  for (const path of ["/App/Api/1?PartitionKey=1&a", "/App/Api/2", "/None"]) await ask(port, path);
  expect(told).toEqual(["/App/Api/1?PartitionKey=1&a", "/App/Api/2", "/None"]);
  expect(requests()).toEqual([
    {
      method: "GET",
      url: "/App/Api/2",
      service: "App/Api",
      attempts: [{ url: `${replica.url}/base/2`, result: "200" }],
      status: 200,
      reason: "OK",
    },
    {
      method: "GET",
      url: "/None",
      service: undefined,
      attempts: [],
      status: 404,
      reason: "FABRIC_E_SERVICE_DOES_NOT_EXIST",
    },
  ]);
});
