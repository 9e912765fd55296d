import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { accepted, closeAll, connectRaw, handshake, startLive, startTcp } from "./live.ts";

afterEach(closeAll);

test("an open WebSocket is read no faster than the other side reads", async () => {
  const total = 32 << 20;
  const upstream = await startTcp((socket) => socket.once("data", () => socket.write(accepted)));
  const { port } = await startLive(upstream.port);
  const { socket, text } = await connectRaw(port);
  socket.write(handshake());
  await once(socket, "data");
  socket.removeAllListeners("data").pause();
  let taken = 0;
  const chunk = Buffer.alloc(64 << 10);
  const send = (): void => {
    upstream.sockets[0]!.write(chunk, () => {
      taken += chunk.length;
      if (taken < total) send();
    });
  };
  send();
  // Until nothing has moved for half a second: what is on its way then fits into buffers.
  for (let before = 0, still = 0; still < 10; still = taken === before ? still + 1 : 0) {
    before = taken;
    await wait(50);
  }
  expect(taken).toBeLessThan(total);
  let received = text().length - accepted.length;
  const all = new Promise<void>((resolve) =>
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received >= total) resolve();
    }),
  );
  socket.resume();
  await all;
  socket.destroy();
});
