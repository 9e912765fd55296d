import { once } from "node:events";
import { afterEach, expect, test } from "@jest/globals";
import { closeAll, exchange, open, startEcho, startLive } from "./live.ts";

afterEach(closeAll);

// The long form, with 1,000 open at once and 10,000 rounds, is the benchmark: npm run bench -- websockets.

/** Comes back when none is left; where one is, the test takes too long. */
async function untilNoSocketIsOpen(): Promise<void> {
  while (process.getActiveResourcesInfo().some((kind) => kind.startsWith("TCPSocket"))) await new Promise(setImmediate);
}

test("200 WebSockets at once", async () => {
  const echo = await startEcho();
  const { url } = await startLive(echo.port);
  const sockets = await Promise.all(Array.from({ length: 200 }, () => open(url)));
  const answers = await Promise.all(sockets.map((socket, index) => exchange(socket, `message ${index}`)));
  expect(answers.map(({ message }) => message.toString())).toEqual(sockets.map((_, index) => `message ${index}`));
});

test("after 300 rounds of connecting and closing no connection is left", async () => {
  await untilNoSocketIsOpen();
  const echo = await startEcho();
  const { url, server } = await startLive(echo.port);
  for (let round = 0; round < 30; round += 1) {
    const sockets = await Promise.all(Array.from({ length: 10 }, () => open(url)));
    const closed = sockets.map((socket) => once(socket, "close"));
    for (const [index, socket] of sockets.entries()) {
      if (index % 2 === 0) socket.close();
      else socket.terminate();
    }
    await Promise.all(closed);
  }
  while ((await countConnections(server)) > 0) continue;
  await untilNoSocketIsOpen();
});

function countConnections(server: {
  getConnections: (done: (error: Error | null, count: number) => void) => void;
}): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}
