import { readFileSync } from "node:fs";
import http, { type RequestListener } from "node:http";
import https from "node:https";
import net, { type Socket } from "node:net";
import tls from "node:tls";
import { expect, test } from "@jest/globals";
import { upgradeThrough } from "../../src/index.ts";
import { closeServer, listen } from "../helpers/start-upstream.ts";

const pem = (name: string): Buffer => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));
const identity = { key: pem("key"), cert: pem("cert") };

const transports = [
  {
    transport: "TCP",
    create: (app: RequestListener) => http.createServer(app),
    dial: (port: number): Socket => net.connect(port, "127.0.0.1"),
  },
  {
    transport: "TLS",
    create: (app: RequestListener) => https.createServer(identity, app),
    dial: (port: number): Socket => tls.connect({ port, host: "127.0.0.1", rejectUnauthorized: false }),
  },
];

const request = "GET /x HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n";
const manyRequests = Buffer.from(request.repeat(1_000));
const enough = 2_000;

test.each(transports)(
  "no more is read than is needed of a client that asks for other upgrades without end, by $transport",
  async ({ create, dial }) => {
    let [answered, most] = [0, 0];
    const allAnswered = Promise.withResolvers<void>();
    const answer: RequestListener = (req, res) => {
      most = Math.max(most, req.socket.readableLength);
      answered += 1;
      if (answered === enough) allAnswered.resolve();
      res.end();
    };
    const server = create(answer).on("upgrade", upgradeThrough(answer));
    const port = await listen(server);
    const client = dial(port).resume();
    const sendOn = (): void => {
      while (!client.destroyed && client.write(manyRequests));
    };
    client.on("drain", sendOn).on("error", () => undefined);
    sendOn();
    await allAnswered.promise;
    client.destroy();
    await closeServer(server);
    expect(most).toBeLessThan(300_000);
  },
);

test.each(transports)("long bodies behind hundreds of such requests come in whole, by $transport", async (row) => {
  const long = Buffer.alloc(3_000_000, "x");
  const arrived = Promise.withResolvers<number>();
  const answer: RequestListener = (req, res) => {
    let bytes = 0;
    req.on("data", (piece: Buffer) => (bytes += piece.length));
    req.on("end", () => {
      res.end();
      if (req.method === "POST") arrived.resolve(bytes);
    });
  };
  const server = row.create(answer).on("upgrade", upgradeThrough(answer));
  const client = row.dial(await listen(server)).resume();
  const upload = request.replace("GET", "POST").replace("Host", `Content-Length: ${long.length}\r\nHost`);
  client.write(Buffer.concat([manyRequests.subarray(0, 700 * request.length), Buffer.from(upload), long]));
  expect(await arrived.promise).toBe(long.length);
  client.destroy();
  await closeServer(server);
});
