import { once } from "node:events";
import net from "node:net";
import { afterEach, describe, expect, test } from "@jest/globals";
import {
  accepted,
  askRaw,
  closeAll,
  closeCode,
  exchange,
  handshake,
  type LiveParts,
  open,
  refusal,
  startEcho,
  startLive,
  startTcp,
} from "./live.ts";

afterEach(closeAll);

// RFC 6455 5.5.1: final, opcode 8, two bytes, 1001.
const goingAway = "\x88\x02\x03\xe9";

describe("closing the gateway", () => {
  test("tells both sides 1001", async () => {
    const echo = await startEcho();
    const { url, gateway } = await startLive(echo.port);
    const socket = await open(url);
    const code = closeCode(socket);
    await gateway.close({ grace: 0 });
    expect([await code, echo.closes]).toEqual([1001, [1001]]);
  });

  test("gives open WebSockets the grace time, and takes no new ones", async () => {
    const echo = await startEcho();
    const { url, gateway } = await startLive(echo.port);
    const socket = await open(url);
    const closed = gateway.close();
    expect(await refusal(url)).toMatchObject({ status: 503, body: expect.stringContaining("closing") });
    expect((await exchange(socket, "still here")).message.toString()).toBe("still here");
    socket.close(4000);
    expect(await closeCode(socket)).toBe(4000);
    await closed;
  });

  test("does not wait for a client that says nothing any more", async () => {
    const echo = await startEcho();
    const { port, gateway } = await startLive(echo.port);
    const socket = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    socket.write(handshake());
    await once(socket, "data");
    socket.pause();
    await gateway.close({ grace: 0 });
    expect(echo.closes).toEqual([1001]);
    socket.destroy();
  });

  test.each([
    ["is sent behind a whole frame", "\x81\x05hello", goingAway],
    ["is sent between the frames of one message", "\x01\x03hel", goingAway],
    ["is not sent in the middle of a frame, where it would be read as a part of it", "\x81\x05hel", ""],
    ["is not sent in the middle of a frame's head", "\x82\x7e\x01", ""],
  ])("the 1001 %s", async (_where, sent, farewell) => {
    const upstream = await startTcp((socket) => socket.once("data", () => socket.write(accepted)));
    const { port, gateway } = await startLive(upstream.port);
    const socket = net.connect({ port, host: "127.0.0.1" });
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
    socket.write(handshake());
    await once(socket, "data");
    upstream.sockets[0]!.write(sent, "latin1");
    await once(socket, "data");
    const ended = once(socket, "end");
    await gateway.close({ grace: 0 });
    await ended;
    expect(text.split("\r\n\r\n")[1]).toBe(`${sent}${farewell}`);
  });

  test("ends a handshake that is still under way", async () => {
    const upstream = await startTcp(() => undefined);
    const { port, gateway } = await startLive(upstream.port);
    const answer = askRaw(port, handshake());
    await upstream.endsWith("\r\n\r\n");
    const gone = once(upstream.sockets[0]!, "close");
    await gateway.close({ grace: 0 });
    await Promise.all([answer, gone]);
  });
});

const places: readonly [string, LiveParts][] = [
  ["on the route", { route: { Limits: { Idle: 0.05 } } }],
  ["for all routes", { global: { Limits: { Idle: 0.05 } } }],
  ["as an option", { options: { limits: { idle: 0.05 } } }],
];

describe("an idle limit", () => {
  test.each(places)("%s closes a silent WebSocket with 1001", async (_place, parts) => {
    const echo = await startEcho();
    const { url } = await startLive(echo.port, parts);
    const socket = await open(url);
    expect(await closeCode(socket)).toBe(1001);
  });
});
