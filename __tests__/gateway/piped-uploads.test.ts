import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import net from "node:net";
import { PassThrough, pipeline, type Readable, Writable } from "node:stream";
import { afterEach, describe, expect, test } from "@jest/globals";
import {
  createAnswer,
  createGateway,
  type DelegatingHandler,
  type Gateway,
  parseConfig,
  problemDetails,
  type UpstreamResponse,
} from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { serve, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const uploadBytes = 5_000_000;
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Handling = (
  body: Readable,
  send: (body: Readable) => Promise<UpstreamResponse>,
  assign: (body: Readable) => void,
) => Promise<UpstreamResponse>;

const ownAnswer = (): UpstreamResponse => createAnswer({ status: 401, body: "own" });

/** What a handler makes of an upload whose answer comes before its end. */
const handlings: readonly (readonly [what: string, handling: Handling])[] = [
  ["pipes it on", (body, send) => send(body.pipe(new PassThrough()))],
  ["pipes it on twice", (body, send) => send(body.pipe(new PassThrough()).pipe(new PassThrough()))],
  [
    "pipes it on, and answers itself",
    async (body, _send, assign) => {
      const stream = body.pipe(new PassThrough());
      assign(stream);
      await once(body, "data");
      return ownAnswer();
    },
  ],
];

describe.each(engines)("an upload that a handler pipes ($name)", ({ create }) => {
  async function start(handling: Handling) {
    const upstream = await startUpstream((req, res) => {
      if (req.method === "GET") res.end("after");
      else res.writeHead(401, { "content-length": 2 }).end("no");
    });
    const handler: DelegatingHandler = (outgoing, next) => {
      const { body } = outgoing;
      if (body === null || Buffer.isBuffer(body)) return next();
      const assign = (stream: Readable): void => void (outgoing.body = stream);
      const send = (stream: Readable): Promise<UpstreamResponse> => {
        assign(stream);
        return next();
      };
      return handling(body, send, assign);
    };
    const running = await startGateway(
      {
        Routes: [
          {
            UpstreamPathTemplate: "/{x}",
            DownstreamPathTemplate: "/{x}",
            DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
          },
        ],
      },
      { engine: create(), handlers: [handler], limits: { concurrent: 1 } },
    );
    cleanups.push(upstream.close, running.close);
    return running;
  }

  test.each(handlings)("flows off behind an early answer: a handler that %s", async (_what, handling) => {
    const { port } = await start(handling);
    for (const framing of [`Content-Length: ${uploadBytes}`, "Transfer-Encoding: chunked"]) {
      const isChunked = framing.startsWith("Transfer");
      const client = net.connect(port, "127.0.0.1").setEncoding("latin1");
      let received = "";
      client.on("data", (text: string) => (received += text));
      client.write(`POST /x HTTP/1.1\r\nHost: a\r\n${framing}\r\n\r\n`);
      if (isChunked) client.write(`${uploadBytes.toString(16)}\r\n`);
      client.write("u".repeat(uploadBytes));
      if (isChunked) client.write("\r\n0\r\n\r\n");
      client.write("GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      await once(client, "close");
      expect(received.match(/HTTP\/1\.1 \d+|after/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 200", "after"]);
    }
  });

  test("holds its place no longer than its answer takes, where its pipeline fails", async () => {
    const { port, origin } = await start(async (body) => {
      const stream = new PassThrough();
      const failed = new Promise((resolve) => pipeline(body, stream, resolve));
      stream.destroy();
      await failed;
      return ownAnswer();
    });
    const client = net.connect(port, "127.0.0.1").on("error", () => undefined);
    client.write(`POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: ${uploadBytes}\r\n\r\n${"u".repeat(100_000)}`);
    const [answer] = (await once(client, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /);
    client.destroy();
    expect((await fetch(`${origin}/x`)).status).toBe(200);
  });
});

describe("an upload that the app has piped before the gateway, in vain", () => {
  /** A server that hands on what it could not read. */
  async function start(goOn: (gateway: Gateway) => (error: Error, req: IncomingMessage, res: ServerResponse) => void) {
    const upstream = await startUpstream();
    const config = parseConfig({
      Routes: [
        {
          UpstreamPathTemplate: "/{x}",
          DownstreamPathTemplate: "/{x}",
          DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
        },
      ],
    });
    const gateway = createGateway(config, { logger: false });
    const handOn = goOn(gateway);
    const running = await serve((req, res) => {
      if (req.method === "GET") return gateway(req, res);
      const limited = new Writable({ write: (_piece, _coding, done) => done(new Error("too much")) });
      pipeline(req, limited, (error) => handOn(error!, req, res));
    }, gateway);
    cleanups.push(upstream.close, running.close);
    return running.port;
  }

  async function statusesOf(port: number, bytes: string): Promise<string[]> {
    const client = net.connect(port, "127.0.0.1").setEncoding("latin1");
    let received = "";
    client.on("data", (text: string) => (received += text)).on("error", () => undefined);
    client.write(bytes);
    await once(client, "close");
    return received.match(/HTTP\/1\.1 \d+/g) ?? [];
  }

  const upload = "POST /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 100\r\n\r\nfirst";

  test("is answered by problemDetails()", async () => {
    const port = await start(() => {
      const answer = problemDetails({ logger: false });
      return (error, req, res) => answer(error, req, res, () => res.destroy());
    });
    expect(await statusesOf(port, upload)).toEqual(["HTTP/1.1 500"]);
  });

  test("is answered by the gateway, also behind another request of its connection", async () => {
    const port = await start((gateway) => (_error, req, res) => gateway(req, res));
    expect(await statusesOf(port, upload)).toEqual(["HTTP/1.1 500"]);
    expect(await statusesOf(port, `GET /x HTTP/1.1\r\nHost: a\r\n\r\n${upload}`)).toEqual([
      "HTTP/1.1 200",
      "HTTP/1.1 500",
    ]);
  });
});
