import { AsyncLocalStorage } from "node:async_hooks";
import { execFile } from "node:child_process";
import { once } from "node:events";
import http, { type RequestListener } from "node:http";
import net from "node:net";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "@jest/globals";
import express from "express";
import { upgradeThrough } from "../../src/index.ts";
import { closeServer, listen, startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { cleanUpLater, closeAll, exchange, handshake, liveGateway, open, startEcho, startTcp } from "./live.ts";

const run = promisify(execFile);

// A program that sends two requests is over before optimising it pays.
const startsSoon = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

afterEach(closeAll);

async function echoing(): Promise<Upstream> {
  const upstream = await startUpstream((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => res.end(`${req.method} ${req.url} [${Buffer.concat(chunks).toString()}]`));
  });
  cleanUpLater(upstream.close);
  return upstream;
}

async function start(upstreamPort: number, inExpress: boolean): Promise<http.Server> {
  const gateway = liveGateway(upstreamPort);
  const app = inExpress ? express().use(gateway) : gateway;
  const server = http.createServer(app as RequestListener).on("upgrade", upgradeThrough(app as never));
  await listen(server);
  cleanUpLater(() => closeServer(server));
  cleanUpLater(() => gateway.close({ grace: 0 }));
  return server;
}

const portOf = (server: http.Server): number => (server.address() as net.AddressInfo).port;

/** Writes bytes, and reads until as many answers have come as there are bodies to expect. */
async function ask(port: number, parts: readonly string[], bodies: number): Promise<string[]> {
  const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
  let text = "";
  const found = (): string[] => text.match(/[A-Z]+ \/\S+ \[[^\]]*\]|HTTP\/1.1 (?!200)\d+/g) ?? [];
  socket.on("error", () => undefined);
  for (const part of parts) {
    socket.write(part, "latin1");
    await new Promise(setImmediate);
  }
  while (found().length < bodies) {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    text += chunk.toString("latin1");
  }
  socket.destroy();
  return found();
}

function asking(
  protocol: string,
  path = "/live/main",
  lines: readonly string[] = [],
  body = "",
  method = "GET",
): string {
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: gateway.test",
    "Connection: Upgrade, HTTP2-Settings",
    `Upgrade: ${protocol}`,
    "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
    ...lines,
    "\r\n",
  ];
  return head.join("\r\n") + body;
}

const length = (body: string): string[] => [`Content-Length: ${body.length}`];
const chunks = "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";

describe("an upgrade to something else than a WebSocket", () => {
  describe.each([true, false])("in Express: %s", (inExpress) => {
    test.each([
      ["h2c", [asking("h2c")], ["GET /rooms/main []"]],
      ["TLS", [asking("TLS/1.0")], ["GET /rooms/main []"]],
      ["a version of WebSockets", [asking("websocket/13")], ["GET /rooms/main []"]],
      ["with a body", [asking("h2c", "/live/main", length("abc"), "abc", "POST")], ["POST /rooms/main [abc]"]],
      [
        "a body in two pieces",
        [asking("h2c", "/live/main", length("abc"), "a", "POST"), "bc"],
        ["POST /rooms/main [abc]"],
      ],
      [
        "a body in chunks",
        [asking("h2c", "/live/main", ["Transfer-Encoding: chunked"], chunks, "POST")],
        ["POST /rooms/main [abcde]"],
      ],
      [
        "a body in chunks, with tabs around the word",
        [
          asking(
            "h2c",
            "/live/main",
            ["Transfer-Encoding:\tchunked\t"],
            `${chunks}${asking("h2c", "/live/b")}`,
            "POST",
          ),
        ],
        ["POST /rooms/main [abcde]", "GET /rooms/b []"],
      ],
      [
        "on a connection that is kept",
        [asking("h2c"), asking("h2c", "/live/b")],
        ["GET /rooms/main []", "GET /rooms/b []"],
      ],
      [
        "several at once",
        [asking("h2c", "/live/a", length("xy"), "xy", "PUT") + asking("h2c", "/live/b") + asking("h2c", "/live/c")],
        ["PUT /rooms/a [xy]", "GET /rooms/b []", "GET /rooms/c []"],
      ],
      [
        "a body that looks like a request is a body",
        [asking("h2c", "/live/a", length("GET /x"), "GET /x", "PUT")],
        ["PUT /rooms/a [GET /x]"],
      ],
      ["where no route is", [asking("h2c", "/nowhere")], ["HTTP/1.1 404"]],
    ])("%s is an ordinary request", async (_what, parts, expected) => {
      const upstream = await echoing();
      const server = await start(upstream.port, inExpress);
      expect(await ask(portOf(server), parts, expected.length)).toEqual(expected);
      for (const { headers } of upstream.requests) {
        expect([headers.upgrade, headers["http2-settings"]]).toEqual([undefined, undefined]);
      }
    });
  });

  test("a list that names WebSockets opens one", async () => {
    const echo = await startEcho();
    const server = await start(echo.port, true);
    const socket = net.connect(portOf(server), "127.0.0.1");
    socket.write(handshake("/live/main", { Upgrade: "h2c, WebSocket" }));
    const [bytes] = (await once(socket, "data")) as [Buffer];
    expect(bytes.toString()).toMatch(/^HTTP\/1\.1 101 /);
    socket.destroy();
  });

  test("a WebSocket follows on the same connection, and hundreds leave nothing behind", async () => {
    const echo = await startEcho();
    const server = await start(echo.port, true);
    const connections: net.Socket[] = [];
    server.on("connection", (socket: net.Socket) => connections.push(socket));
    const socket = net.connect(portOf(server), "127.0.0.1");
    for (let index = 0; index < 200; index += 1) {
      socket.write(asking("h2c"));
      await once(socket, "data");
    }
    expect(connections).toHaveLength(1);
    for (const event of ["close", "error", "timeout", "drain", "end", "data"]) {
      expect(connections[0]!.listenerCount(event)).toBeLessThan(4);
    }
    socket.write(handshake());
    const [bytes] = (await once(socket, "data")) as [Buffer];
    expect(bytes.toString()).toMatch(/^HTTP\/1\.1 101 /);
    socket.destroy();
    const other = await open(`ws://127.0.0.1:${portOf(server)}/live/main`);
    expect((await exchange(other, "a")).message.toString()).toBe("a");
    other.close();
    await once(other, "close");
  });

  test("a body whose length Node has left out is not read as a request", async () => {
    const upstream = await echoing();
    const server = await start(upstream.port, true);
    server.maxHeadersCount = 10;
    const lines = [...Array.from({ length: 40 }, (_, index) => `a${index}: 1`), "Content-Length: 45"];
    const body = "GET /live/smuggled HTTP/1.1\r\nHost: a.test\r\n\r\n";
    await ask(portOf(server), [asking("h2c", "/live/main", lines, body, "POST")], 1);
    expect(upstream.requests.map(({ target }) => target)).not.toContain("/rooms/smuggled");
  });

  test.each([
    ["as many fields as are read by default", undefined, 1_000],
    ["as many as the server has been told to read", 20, 20],
  ])("%s are refused: nobody knows whether there were more", async (_which, most, count) => {
    const upstream = await echoing();
    const server = await start(upstream.port, true);
    if (most !== undefined) server.maxHeadersCount = most;
    const fields = (total: number): string[] => Array.from({ length: total - 4 }, () => "a:");
    const answer = (total: number): Promise<string[]> =>
      ask(portOf(server), [asking("h2c", "/live/a", fields(total))], 1);
    expect(await answer(count - 1)).toEqual(["GET /rooms/a []"]);
    expect(await answer(count)).toEqual(["HTTP/1.1 431"]);
  });

  test.each([
    ["GET", ""],
    ["POST", '.POST(HttpRequest.BodyPublishers.ofString("from Java"))'],
  ])(
    "Java's HttpClient, which asks for h2c by default: %s",
    async (method, call) => {
      const java = await run("java", ["-version"]).then(
        () => true,
        () => false,
      );
      if (!java) return;
      const upstream = await echoing();
      const server = await start(upstream.port, true);
      const folder = await mkdtemp(join(tmpdir(), "ask-"));
      cleanUpLater(() => rm(folder, { recursive: true }));
      const program = `import java.net.URI; import java.net.http.*;
      public class Ask { public static void main(String[] words) throws Exception {
        var client = HttpClient.newHttpClient();
        for (int turn = 0; turn < 2; turn++) {
          var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:${portOf(server)}/live/main"))${call}.build();
          var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
          System.out.println(answer.statusCode() + " " + answer.body());
        } } }`;
      await writeFile(join(folder, "Ask.java"), program);
      const { stdout } = await run("java", [...startsSoon, join(folder, "Ask.java")]);
      const line = `200 ${method} /rooms/main [${method === "POST" ? "from Java" : ""}]`;
      expect(stdout.trim().split("\n")).toEqual([line, line]);
    },
    60_000,
  );
});

describe("a client that leaves while an earlier answer has no end", () => {
  const behind = handshake("/live/b", { Upgrade: "h2c" }).replace(/Sec-.*\r\n/g, "");

  test.each([
    ["a request for another protocol", behind],
    ["more behind that", `${behind}${handshake("/live/c", { Connection: "", Upgrade: "" })}`],
    [
      "more than is held",
      `${behind.replace("\r\n\r\n", "\r\nContent-Length: 9000000\r\n\r\n")}${"x".repeat(2_000_000)}`,
    ],
  ])("and has sent %s behind it leaves nothing", async (_what, bytes) => {
    const upstream = await startTcp((socket) => {
      socket.once("data", () =>
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"),
      );
    });
    const server = await start(upstream.port, false);
    const client = net.connect({ port: portOf(server), host: "127.0.0.1", noDelay: true });
    client.on("error", () => undefined).write("GET /live/a HTTP/1.1\r\nHost: gateway.test\r\n\r\n");
    await once(client, "data");
    client.end(bytes);
    const [socket] = upstream.sockets;
    if (!socket!.destroyed) await once(socket!, "close");
  });
});

test("what is asked behind an earlier request runs for nobody whom that has told", async () => {
  const users = new AsyncLocalStorage<string>();
  const gateway = liveGateway((await startEcho()).port);
  const app = express();
  app.use((req, _res, next) => {
    const user = req.get("x-user");
    if (user === undefined) next();
    else users.run(user, next);
  });
  app.get("/who", (_req, res) => void setTimeout(() => res.end(`GET /who [${users.getStore() ?? "nobody"}]`), 5));
  const server = http.createServer(app.use(gateway)).on("upgrade", upgradeThrough(app as never));
  await listen(server);
  cleanUpLater(() => closeServer(server));
  cleanUpLater(() => gateway.close({ grace: 0 }));
  const [named, unnamed] = ["X-User: ann\r\n", ""].map((line) => `GET /who HTTP/1.1\r\nHost: a\r\n${line}\r\n`);
  const got = await ask(portOf(server), [`${named}${asking("h2c", "/who")}${unnamed}`], 3);
  expect(got).toEqual(["GET /who [ann]", "GET /who [nobody]", "GET /who [nobody]"]);
});

async function* manyPieces(): AsyncGenerator<Buffer> {
  for (let count = 0; count < 20; count += 1) {
    await new Promise(setImmediate);
    yield Buffer.alloc(100_000);
  }
}

test("a long answer that a web stream writes goes on behind a request for an upgrade", async () => {
  const app = express();
  app.get("/long", (_req, res) => void Readable.toWeb(Readable.from(manyPieces())).pipeTo(Writable.toWeb(res)));
  app.get("/last", (_req, res) => void res.end("GET /last []"));
  const server = http.createServer(app).on("upgrade", upgradeThrough(app as never));
  await listen(server);
  cleanUpLater(() => closeServer(server));
  const got = await ask(portOf(server), [`GET /long HTTP/1.1\r\nHost: a\r\n\r\n${asking("h2c", "/last")}`], 1);
  expect(got).toEqual(["GET /last []"]);
});
