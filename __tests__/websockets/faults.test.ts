import { EventEmitter, once } from "node:events";
import type { ServerResponse } from "node:http";
import net from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import { chunksOf } from "../bodies/chunks-of.ts";
import {
  accepted,
  askRaw,
  closeAll,
  closeCode,
  connectRaw,
  exchange,
  handshake,
  open,
  sampleAccept,
  startEcho,
  startLive,
  startTcp,
} from "./live.ts";

afterEach(closeAll);

/** An upstream that answers each connection's first bytes. */
function startAnswering(answer: string, isEnd = true): ReturnType<typeof startTcp> {
  return startTcp((socket) =>
    socket.once("data", () => {
      socket.write(answer, "latin1");
      if (isEnd) socket.end();
    }),
  );
}

const wrongAccept = accepted.replace(sampleAccept, "AAAAAAAAAAAAAAAAAAAAAAAAAAA=");

describe("an answer of the upstream that is no 101", () => {
  test.each([
    ["HTTP/1.1 403 Forbidden\r\nX-Why: no\r\nContent-Length: 3\r\n\r\nno!", 403, "no!", "a refusal is passed on whole"],
    [
      "HTTP/1.1 404 Not Found\r\nX-Why: no\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nno!\r\n0\r\n\r\n",
      404,
      "no!",
      "in chunks too",
    ],
    ["HTTP/1.1 503 Gone Home\r\nX-Why: no\r\n\r\nno!", 503, "no!", "delimited by its end"],
    [
      "HTTP/1.1 302 Found\r\nX-Why: no\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n",
      302,
      "",
      "a redirect is not followed",
    ],
    [
      "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 401 X\r\nX-Why: no\r\nContent-Length: 3\r\n\r\nno!",
      401,
      "no!",
      "hints before it are dropped",
    ],
  ])("%j goes to the client as %i, %j: %s", async (bytes, status, body) => {
    const upstream = await startAnswering(bytes);
    const { port } = await startLive(upstream.port);
    const answer = await askRaw(port, handshake());
    expect(answer.status).toBe(status);
    expect(answer.head).toMatch(/\r\nx-why: no/i);
    expect(answer.head).toMatch(/\r\nconnection: close/i);
    expect(answer.rest.replace(/^3\r\n(.*)\r\n0\r\n\r\n$/, "$1")).toBe(body);
  });

  test("goes on in few chunks, in however many it comes", async () => {
    const count = 30_000;
    const head = "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n";
    const upstream = await startAnswering(`${head}${"1\r\na\r\n".repeat(count)}0\r\n\r\n`);
    const { port } = await startLive(upstream.port);
    const answer = await askRaw(port, handshake());
    const chunks = chunksOf(`\r\n\r\n${answer.rest}`);
    expect(chunks.join("")).toBe("a".repeat(count));
    expect(chunks.length).toBeLessThan(count / 50);
  });

  test("is broken off where nothing but zeros of a chunk's length comes without an end", async () => {
    const head = "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n";
    const upstream = await startAnswering(`${head}${"0".repeat(1_000_000)}`, false);
    const { port } = await startLive(upstream.port);
    const answer = await askRaw(port, handshake());
    expect(answer.rest).not.toContain("\r\n0\r\n");
    const [socket] = upstream.sockets;
    if (!socket!.destroyed) await once(socket!, "close");
  });

  test("is broken off where the upstream breaks it off, though nothing but its end says how long it is", async () => {
    const upstream = await startTcp((socket) =>
      socket.once("data", () => {
        socket.write("HTTP/1.1 404 Not Found\r\n\r\nhalf of i");
        setTimeout(() => socket.resetAndDestroy(), 50);
      }),
    );
    const { port } = await startLive(upstream.port);
    const answer = await askRaw(port, handshake());
    expect(answer.status).toBe(404);
    expect(answer.rest).toContain("half of i");
    expect(answer.rest).not.toContain("\r\n0\r\n");
  });
});

test.each([
  ["a length", "HTTP/1.1 403 Forbidden\r\nContent-Length: 3\r\n\r\nno!"],
  ["chunks", "HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nno!\r\n0\r\n\r\n"],
  ["an empty body", "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"],
  ["no body", "HTTP/1.1 304 Not Modified\r\n\r\n"],
])("a refusal with %s leaves no connection, though the upstream would keep it", async (_what, bytes) => {
  const upstream = await startAnswering(bytes, false);
  const { port } = await startLive(upstream.port);
  const ended = new Promise((resolve) => upstream.server.once("connection", (socket) => socket.once("close", resolve)));
  await askRaw(port, handshake());
  await ended;
});

describe("a handshake that fails", () => {
  const reset = (socket: net.Socket): void => void socket.once("data", () => socket.resetAndDestroy());
  const answering = (bytes: string) => (socket: net.Socket) => void socket.once("data", () => socket.write(bytes));
  const cutting = (bytes: string) => (socket: net.Socket) => void socket.once("data", () => socket.end(bytes));
  const rows: readonly [string, (socket: net.Socket) => void, number, string][] = [
    ["200 with a body", answering("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes"), 502, "upgrade-not-accepted"],
    ["204", answering("HTTP/1.1 204 No Content\r\n\r\n"), 502, "upgrade-not-accepted"],
    ["a wrong Sec-WebSocket-Accept", answering(wrongAccept), 502, "upgrade-not-accepted"],
    ["no Sec-WebSocket-Accept", answering(accepted.replace(/Sec-.*\r\n/, "")), 502, "upgrade-not-accepted"],
    ["an upgrade to something else", answering(accepted.replace("websocket", "h2c")), 502, "upgrade-not-accepted"],
    ["a 101 without Upgrade", answering(accepted.replace(/Upgrade: .*\r\n/, "")), 502, "upgrade-not-accepted"],
    ["a 101 without Connection", answering(accepted.replace(/Connection: .*\r\n/, "")), 502, "upgrade-not-accepted"],
    ["no HTTP", answering("SSH-2.0-OpenSSH\r\n"), 502, "upstream-ill-formed"],
    ["interim answers without an end", answering("HTTP/1.1 103 X\r\n\r\n".repeat(40)), 502, "upstream-ill-formed"],
    ["a reset before a byte", reset, 502, "upstream-reset"],
    ["blank lines without an end", answering("\r\n".repeat(500_000)), 502, "upstream-ill-formed"],
    ["an end before a byte", cutting(""), 502, "upstream-reset"],
    ["an end in the middle of the head", cutting(accepted.slice(0, 60)), 502, "upstream-reset"],
    ["silence", () => undefined, 504, "answer-timeout"],
  ];

  test.each(rows)("%s", async (_what, connected, status, code) => {
    const upstream = await startTcp(connected);
    const { port } = await startLive(upstream.port, { route: { Timeout: code === "answer-timeout" ? 0.1 : 60 } });
    const answer = await askRaw(port, handshake());
    expect([answer.status, JSON.parse(answer.rest)]).toMatchObject([status, { code }]);
    expect(answer.rest).not.toContain(String(upstream.port));
    const [socket] = upstream.sockets;
    if (!socket!.destroyed) await once(socket!.resume(), "close");
  });
});

describe("bytes around the handshake", () => {
  test("what comes right behind the 101 arrives, even when the upstream ends at once", async () => {
    const upstream = await startAnswering(`${accepted}\x81\x05first`);
    const { port } = await startLive(upstream.port);
    const { status, rest } = await askRaw(port, handshake());
    expect([status, rest]).toEqual([101, "\x81\x05first"]);
  });

  test("an upstream that accepts and ends at once ends the client's connection", async () => {
    const upstream = await startAnswering(accepted);
    const { port } = await startLive(upstream.port);
    expect(await askRaw(port, handshake())).toMatchObject({ status: 101, rest: "" });
  });

  test("what the client sends early waits for the 101, and then arrives", async () => {
    const upstream = await startTcp(() => undefined);
    const { port } = await startLive(upstream.port);
    const { socket } = await connectRaw(port);
    socket.write(`${handshake()}behind`);
    await upstream.endsWith("\r\n\r\n");
    socket.write(", later");
    // Another whole exchange through the gateway: what would be passed on has been by then.
    await askRaw(port, handshake("/nowhere"));
    expect(upstream.received[0]).toMatch(/\r\n\r\n$/);
    upstream.sockets[0]!.write(accepted);
    await upstream.endsWith("\r\n\r\nbehind, later");
    socket.destroy();
  });

  test("a handshake may come byte by byte, on both sides", async () => {
    const upstream = await startTcp((socket) =>
      socket.once("data", () => {
        void (async () => {
          for (const byte of `${accepted}\x81\x02hi`) {
            socket.write(byte, "latin1");
            await new Promise(setImmediate);
          }
          socket.end();
        })();
      }),
    );
    const { port } = await startLive(upstream.port);
    expect(await askRaw(port, Array.from(handshake()))).toMatchObject({ status: 101, rest: "\x81\x02hi" });
    expect(upstream.received[0]).toMatch(/^GET \/rooms\/main HTTP\/1\.1\r\n/);
  });
});

describe("a request smuggled behind an upgrade", () => {
  const smuggled = "GET /admin HTTP/1.1\r\nHost: gateway.test\r\n\r\n";

  test.each([
    ["that the upstream refuses", handshake(), "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", 403],
    ["that the upstream accepts falsely", handshake(), wrongAccept, 502],
    ["that no route takes", handshake("/nowhere"), "", 404],
    ["that has it as its body", handshake("/live/main", { "Content-Length": String(smuggled.length) }), "", 400],
    ["that the app answers", handshake("/plain"), "", 200],
  ])("%s is never answered, and never arrives", async (_what, bytes, answer, status) => {
    const upstream = await startAnswering(answer, false);
    const { port } = await startLive(upstream.port, {
      app: (gateway) => (req, res) => {
        if (req.url === "/plain") res.writeHead(200).end();
        else gateway(req, res);
      },
    });
    const got = await askRaw(port, [`${bytes}${smuggled}`, smuggled]);
    expect(got.status).toBe(status);
    expect(got.rest).not.toContain("HTTP/1.1");
    expect(upstream.received.join("")).not.toContain("/admin");
    expect(upstream.received.length).toBeLessThanOrEqual(1);
  });
});

describe("a client that leaves before its WebSocket is open", () => {
  test.each([
    ["by ending", (socket: net.Socket) => void socket.end()],
    ["by ending behind bytes that it has sent early", (socket: net.Socket) => void socket.end("early")],
    ["by sending early more than is held", (socket: net.Socket) => void socket.write("x".repeat(100_000))],
    ["by a reset", (socket: net.Socket) => void socket.resetAndDestroy()],
  ])("%s cancels the upstream's handshake at once", async (_how, leave) => {
    const upstream = await startTcp(() => undefined);
    const { port } = await startLive(upstream.port);
    const { socket } = await connectRaw(port);
    socket.write(handshake());
    await upstream.endsWith("\r\n\r\n");
    const gone = once(upstream.sockets[0]!, "close");
    leave(socket);
    await gone;
  });

  test("while middleware is busy, nothing is sent upstream", async () => {
    const echo = await startEcho();
    const middleware = new EventEmitter();
    const { port } = await startLive(echo.port, {
      options: { middleware: [(_req, res, next) => void middleware.emit("called", res, next)] },
    });
    const { socket } = await connectRaw(port);
    const called = once(middleware, "called");
    socket.write(handshake());
    const [res, next] = (await called) as [ServerResponse, () => void];
    const left = once(res, "close");
    socket.destroy();
    await left;
    next();
    await askRaw(port, handshake("/nowhere"));
    expect(echo.arrivals).toEqual([]);
  });
});

describe("an open WebSocket", () => {
  test.each([
    ["ends", (socket: net.Socket) => void socket.end()],
    ["crashes", (socket: net.Socket) => void socket.resetAndDestroy()],
    ["is destroyed", (socket: net.Socket) => void socket.destroy()],
  ])("closes when the upstream's side %s", async (_how, leave) => {
    const echo = await startEcho();
    const { url } = await startLive(echo.port);
    const socket = await open(url);
    leave(echo.arrivals[0]!.socket);
    expect(await closeCode(socket)).toBe(1006);
  });

  test.each([
    ["ends", (socket: net.Socket) => void socket.end()],
    ["crashes", (socket: net.Socket) => void socket.resetAndDestroy()],
    ["is destroyed", (socket: net.Socket) => void socket.destroy()],
  ])("closes when the client's side %s", async (_how, leave) => {
    const upstream = await startAnswering(accepted, false);
    const { port } = await startLive(upstream.port);
    const { socket } = await connectRaw(port);
    socket.write(handshake());
    await once(socket, "data");
    const [peer] = upstream.sockets;
    const gone = once(peer!, "close");
    leave(socket);
    await gone;
  });

  test("gets what the upstream sent before it went, however much it is", async () => {
    const big = Buffer.alloc(8 << 20, "x");
    const upstream = await startTcp((socket) =>
      socket.once("data", () => {
        socket.write(accepted);
        socket.end(big);
      }),
    );
    const { port } = await startLive(upstream.port);
    const { status, rest } = await askRaw(port, handshake());
    expect([status, rest.length]).toEqual([101, big.length]);
  });

  test("outlives the time that an answer may take", async () => {
    const echo = await startEcho();
    const { url } = await startLive(echo.port, { route: { Timeout: 0.4, Limits: { Connect: 0.4 } } });
    const socket = await open(url);
    await wait(500);
    expect((await exchange(socket, "still here")).message.toString()).toBe("still here");
  });
});
