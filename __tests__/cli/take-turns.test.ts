import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { expect, test } from "@jest/globals";
import { createPipelinedTurns } from "../../src/cli/serve/pipelined-turns.ts";
import { fewPerTurn } from "../../src/unattended/few-per-turn.ts";
import { upgradeThrough } from "../../src/index.ts";
import { closeServer, listen } from "../helpers/start-upstream.ts";
import { requestsWith } from "./requests-in-a-packet.ts";

test("requests whose client has left are not begun", async () => {
  const asked: (string | undefined)[] = [];
  const server = http.createServer(
    createPipelinedTurns()((req, res) => {
      asked.push(req.url);
      if (req.url === "/leave") req.socket.destroy();
      else res.end(req.url);
    }),
  );
  const socket = connect(await listen(server), "127.0.0.1").resume();
  const lines = ["/first", "/leave", "/last"].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  socket.write(lines.join(""));
  await once(socket, "close");
  await new Promise(setImmediate);
  expect(asked).toEqual(["/first", "/leave"]);
  await closeServer(server);
});

test("nothing is lost of a request for another protocol while those before it have their turns", async () => {
  const body = "GET /inner HTTP/1.1\r\nHost: a\r\n\r\n";
  const earlier = Promise.withResolvers<ServerResponse>();
  const inTurn = createPipelinedTurns();
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    if (req.url === "/first") {
      // The turn of the second request is the last in its turn of the event loop: that of the upgrade comes behind it.
      for (let others = 0; others < 15; others += 1) fewPerTurn(() => undefined);
      earlier.resolve(res);
    } else {
      let text = "";
      req.setEncoding("latin1").on("data", (piece: string) => (text += piece));
      req.on("end", () => res.end(`<${req.method} ${req.url} ${text.length}>`));
    }
  };
  const server = http.createServer(inTurn(answer));
  server.on("upgrade", upgradeThrough(answer));
  const socket = connect(await listen(server), "127.0.0.1").setEncoding("latin1");
  let received = "";
  socket.on("data", (text: string) => (received += text));
  const long = `X-Long: ${"x".repeat(5_000)}\r\n`;
  const heads = [
    "GET /first HTTP/1.1\r\nHost: a\r\n\r\n",
    ...["/second", "/third"].map((path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${long}\r\n`),
    `POST /last HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: ${body.length}\r\n\r\n`,
  ];
  socket.write(heads.join(""));
  const first = await earlier.promise;
  for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate);
  first.end("<GET /first 0>");
  while (!received.includes("<GET /third 0>")) await once(socket, "data");
  socket.write(body);
  while (!/<(?:POST \/last|GET \/inner)/.test(received)) await once(socket, "data");
  expect(received.match(/<.*?>/g)).toEqual([
    "<GET /first 0>",
    "<GET /second 0>",
    "<GET /third 0>",
    `<POST /last ${body.length}>`,
  ]);
  socket.destroy();
  server.closeAllConnections();
  await closeServer(server);
});

test("a client that leaves while its connection is held is cut as soon as its answers stand still, and another is not", async () => {
  const begun = new Map<string | undefined, ServerResponse>();
  const silence = 1_000;
  const server = http.createServer(
    createPipelinedTurns(silence)((req, res) => {
      begun.set(req.url, res);
      if (!req.url!.startsWith("/stream")) return void res.end(req.url);
      res.writeHead(200).flushHeaders();
    }),
  );
  const port = await listen(server);
  const leaving = connect(port, "127.0.0.1").resume();
  const staying = connect(port, "127.0.0.1").setEncoding("latin1");
  let received = "";
  staying.on("data", (text: string) => (received += text));
  const behind = requestsWith([""], 100);
  leaving.write(`GET /stream/left HTTP/1.1\r\nHost: a\r\n\r\n${behind}`);
  staying.write(`GET /stream/stays HTTP/1.1\r\nHost: a\r\n\r\n${behind}`);
  while (begun.size < 2) await new Promise(setImmediate);
  const closed = once(begun.get("/stream/left")!, "close");
  leaving.destroy();
  const stays = begun.get("/stream/stays")!;
  const writing = setInterval(() => stays.write("."), silence / 4);
  await closed;
  for (let more = 0; more < 6; more += 1) await once(staying, "data");
  clearInterval(writing);
  stays.end();
  while (!received.includes("/99")) await once(staying, "data");
  staying.destroy();
  await closeServer(server);
});
