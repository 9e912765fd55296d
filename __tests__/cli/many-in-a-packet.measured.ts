import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, test } from "@jest/globals";
import { createPipelinedTurns } from "../../src/cli/serve/pipelined-turns.ts";
import { upgradeThrough } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { closeServer, listen } from "../helpers/start-upstream.ts";
import { requestsWith } from "./requests-in-a-packet.ts";

test.each([
  ["requests", [""]],
  ["requests for another protocol", ["Connection: Upgrade\r\nUpgrade: x\r\n"]],
  ["requests with an expectation", ["Expect: x\r\n"]],
  ["requests of all kinds", ["", "Connection: Upgrade\r\nUpgrade: x\r\n", "Expect: x\r\n", ""]],
])(
  "of hundreds of %s in a packet a few have their turn before other clients, and all are answered in order",
  async (_what, lines) => {
    const some = 1_500;
    let inThisTurn = 0;
    let most = 0;
    const answer = (req: IncomingMessage, res: ServerResponse): void => {
      if (inThisTurn === 0) setImmediate(() => (inThisTurn = 0));
      inThisTurn += 1;
      most = Math.max(most, inThisTurn);
      res.end(`<${req.url}>`);
    };
    const inTurn = createPipelinedTurns();
    const server = http.createServer(inTurn(answer)).on("checkExpectation", inTurn(answer));
    server.on("upgrade", upgradeThrough(answer));
    const socket = connect(await listen(server), "127.0.0.1").setEncoding("latin1");
    let received = "";
    socket.on("data", (text: string) => (received += text));
    socket.write(requestsWith(lines, some));
    while (!received.includes(`</${some - 1}>`)) await once(socket, "data");
    expect(received.match(/<\/\d+>/g)).toEqual(Array.from({ length: some }, (_, id) => `</${id}>`));
    // Those of one turn, and the first of a packet, which goes at once.
    expect(most).toBeLessThan(64);
    socket.destroy();
    await closeServer(server);
  },
);

test.each([
  { heads: "short", length: 1_000, count: 2_000, mostRead: 300_000 },
  { heads: "long", length: 15_000, count: 120, mostRead: 180_000 },
])(
  "of requests with $heads heads behind one without an answer none is begun, few are read, and none is lost",
  async ({ length, count, mostRead }) => {
    const begun: ServerResponse[] = [];
    const isBegun = Promise.withResolvers<void>();
    const server = http.createServer(
      createPipelinedTurns()((req, res) => {
        if (req.url === "/other") return void res.end("other");
        // Reading a body resumes the connection.
        req.resume();
        begun.push(res);
        isBegun.resolve();
        if (begun.length > 1) res.end(`<${req.url}>`);
      }),
    );
    const port = await listen(server);
    const accepted = once(server, "connection") as Promise<[Socket]>;
    const socket = connect(port, "127.0.0.1").setEncoding("latin1");
    const [served] = await accepted;
    let received = "";
    socket.on("data", (text: string) => (received += text));
    socket.write(requestsWith([`X-Long: ${"x".repeat(length)}\r\n`], count));
    await isBegun.promise;
    for (let others = 0; others < 20; others += 1) await (await fetch(`http://127.0.0.1:${port}/other`)).text();
    expect(begun).toHaveLength(1);
    expect(served.bytesRead).toBeLessThan(mostRead);
    begun[0]!.end("</0>");
    while (!received.includes(`</${count - 1}>`)) await once(socket, "data");
    expect(received.match(/<\/\d+>/g)).toEqual(Array.from({ length: count }, (_, id) => `</${id}>`));
    socket.destroy();
    server.closeAllConnections();
    await closeServer(server);
  },
);

test("of many connections whose first requests have no answer so many others wait together, and clients have theirs", async () => {
  const silent: ServerResponse[] = [];
  const inTurn = createPipelinedTurns();
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    if (req.url === "/silent") silent.push(res);
    else res.end("other");
  };
  const server = http.createServer(inTurn(answer));
  const port = await listen(server);
  const ask = async (): Promise<string> => (await request({ port, path: "/other" })).body.toString();
  const many = ["GET /silent", ...Array<string>(2_000).fill("GET /")].map(
    (line) => `${line} HTTP/1.1\r\nHost:\r\n\r\n`,
  );
  const sockets = Array.from({ length: 12 }, () => connect(port, "127.0.0.1").resume());
  const enoughAreCut = Promise.withResolvers<void>();
  let cut = 0;
  for (const socket of sockets) {
    socket.on("error", () => undefined).on("close", () => (cut += 1) === 6 && enoughAreCut.resolve());
    socket.write(many.join(""));
  }
  await enoughAreCut.promise;
  expect(sockets.filter(({ closed }) => !closed).length).toBeGreaterThanOrEqual(3);
  expect(await ask()).toBe("other");
  for (const socket of sockets) socket.destroy();
  for (const res of silent) res.socket?.destroy();
  // There is room again.
  const again = connect(port, "127.0.0.1").setEncoding("latin1");
  again.write(many.slice(1, 1_001).join(""));
  let received = "";
  again.on("data", (text: string) => (received += text));
  while (received.split("other").length <= 1_000) await once(again, "data");
  again.destroy();
  expect(received.split("other")).toHaveLength(1_001);
  await closeServer(server);
});
