import { once } from "node:events";
import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "@jest/globals";
import type WebSocketType from "ws";
import { closeAll, closeCode, type Echo, exchange, open, startEcho, startLive, textOf } from "./live.ts";

afterEach(closeAll);

async function connect(
  options: WebSocketType.ClientOptions = { perMessageDeflate: false },
): Promise<{ socket: WebSocketType; echo: Echo }> {
  const echo = await startEcho({ sockets: { perMessageDeflate: { threshold: 0 }, maxPayload: 32 << 20 } });
  const { url } = await startLive(echo.port);
  return { socket: await open(url, { maxPayload: 32 << 20, ...options }), echo };
}

describe("through the gateway, the client ws", () => {
  test.each([
    ["text", "hello, wörld", false],
    ["an empty text", "", false],
    ["binary", Buffer.from([0, 1, 254, 255]), true],
    ["16 MB", randomBytes(16 << 20), true],
  ])("gets %s back as it was", async (_what, message, binary) => {
    const { socket } = await connect();
    const answer = await exchange(socket, message);
    expect(answer.isBinary).toBe(binary);
    expect(answer.message.equals(Buffer.from(message))).toBe(true);
  });

  test("has its messages compressed by permessage-deflate, both ways", async () => {
    const { socket, echo } = await connect({ perMessageDeflate: { threshold: 0 } });
    expect(socket.extensions).toContain("permessage-deflate");
    const message = "x".repeat(1_000_000);
    expect((await exchange(socket, message)).message.toString()).toBe(message);
    const [arrived] = echo.arrivals;
    expect(arrived!.socket.bytesRead).toBeLessThan(10_000);
  });

  test("sends a message in fragments, with a ping between them", async () => {
    const { socket } = await connect();
    const message = once(socket, "message");
    const pong = once(socket, "pong");
    socket.send("one ", { fin: false });
    socket.ping("are you there?");
    socket.send("two ", { fin: false });
    socket.send("three", { fin: true });
    expect(String((await pong)[0])).toBe("are you there?");
    expect(String((await message)[0])).toBe("one two three");
  });

  test("is pinged by the upstream", async () => {
    const { socket, echo } = await connect();
    const [peer] = echo.sockets;
    const pong = once(peer!, "pong");
    const ping = once(socket, "ping");
    peer!.ping("still there?");
    expect(String((await ping)[0])).toBe("still there?");
    expect(String((await pong)[0])).toBe("still there?");
  });

  test("gets the subprotocol that the upstream chose", async () => {
    const echo = await startEcho({ sockets: { handleProtocols: () => "second" } });
    const { url } = await startLive(echo.port);
    const socket = await open(url, {}, ["first", "second"]);
    expect(socket.protocol).toBe("second");
    expect(echo.arrivals[0]!.headers["sec-websocket-protocol"]).toBe("first,second");
  });

  test.each([1000, 1001, 1008, 3999, 4321])("closes with %i, and the upstream hears that", async (code) => {
    const { socket, echo } = await connect();
    const [peer] = echo.sockets;
    const heard = closeCode(peer!);
    socket.close(code, "reason");
    expect([await closeCode(socket), await heard]).toEqual([code, code]);
  });

  test.each([1000, 1011, 4567])("hears that the upstream closes with %i", async (code) => {
    const { socket, echo } = await connect();
    const [peer] = echo.sockets;
    peer!.close(code, "reason");
    expect(await closeCode(socket)).toBe(code);
  });

  test("keeps the order of many messages", async () => {
    const { socket } = await connect();
    const received: string[] = [];
    const done = new Promise<void>((resolve) => {
      socket.on("message", (message) => {
        if (received.push(textOf(message)) === 2_000) resolve();
      });
    });
    const sent = Array.from({ length: 2_000 }, (_, index) => `${index} ${"x".repeat(index % 500)}`);
    for (const message of sent) socket.send(message);
    await done;
    expect(received).toEqual(sent);
  });
});

describe("through the gateway, Node's own WebSocket", () => {
  test("talks and closes", async () => {
    const echo = await startEcho();
    const { url } = await startLive(echo.port);
    const socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    const answers: unknown[] = [];
    const heard = new Promise<void>((resolve) => {
      socket.addEventListener("message", ({ data }) => {
        if (answers.push(data) === 2) resolve();
      });
    });
    socket.send("text");
    socket.send(new Uint8Array([1, 2, 3]));
    await heard;
    expect(answers[0]).toBe("text");
    expect(Buffer.from(answers[1] as ArrayBuffer)).toEqual(Buffer.from([1, 2, 3]));
    const closed = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
    socket.close(4000);
    expect(await closed).toBe(4000);
  });
});
