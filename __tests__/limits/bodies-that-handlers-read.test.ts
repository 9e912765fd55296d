import type { IncomingMessage } from "node:http";
import { PassThrough, pipeline, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setImmediate as later } from "node:timers/promises";
import { TransformStream } from "node:stream/web";
import { createGunzip } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { createAnswer, type DelegatingHandler, type GatewayHandler } from "../../src/index.ts";
import { untilTrue } from "../bodies/until-true.ts";
import { ok, request, type Scene, type SceneOptions, setScene } from "../faults/scene.ts";
import type { Wire } from "../faults/wire.ts";
import { engines } from "../helpers/engines.ts";

/** What a handler makes of the body that it gets: what is sent. */
type Make = (body: Readable) => Readable | Buffer | null | Promise<Readable | Buffer | null>;

async function* read(body: Readable): AsyncGenerator<Buffer> {
  for await (const piece of body) yield piece as Buffer;
}

const makes: readonly (readonly [name: string, make: Make])[] = [
  ["pipes it", (body) => body.pipe(new PassThrough())],
  ["pipes it on and on", (body) => body.pipe(new PassThrough()).pipe(new PassThrough())],
  [
    "pipes it, having been busy before",
    async (body) => {
      await later();
      await later();
      return body.pipe(new PassThrough());
    },
  ],
  ["joins it to a stream", (body) => pipeline(body, new PassThrough(), () => undefined)],
  ["composes it", (body) => body.compose(new PassThrough())],
  [
    "transforms it as a web stream",
    (body) => Readable.fromWeb(Readable.toWeb(body).pipeThrough(new TransformStream())),
  ],
  ["gives it as it comes", (body) => Readable.from(read(body))],
  ["reads it", (body) => buffer(body)],
  ["reads what it pipes", (body) => buffer(body.pipe(new PassThrough()))],
  [
    "fails in its own way where it cannot read it",
    async (body) => {
      try {
        const pieces: Buffer[] = [];
        for await (const piece of read(body)) pieces.push(piece);
        return Buffer.concat(pieces);
      } catch {
        throw new Error("no body");
      }
    },
  ],
  [
    "fails in its own way as it gives it",
    (body) => {
      const given = new PassThrough();
      body.on("error", () => given.destroy(new Error("no body")));
      return body.pipe(given);
    },
  ],
  ["sends something else meanwhile", (body) => (body.resume(), Buffer.from("else"))],
  ["sends nothing meanwhile", (body) => (body.resume(), null)],
];

const handling =
  (make: Make): DelegatingHandler =>
  async (outgoing, next) => {
    if (outgoing.body instanceof Readable) outgoing.body = await make(outgoing.body);
    return next();
  };

const pipes = handling((body) => body.pipe(new PassThrough()));

/** Answers every request without a body; nothing comes of others. */
function answersReads({ socket, write }: Wire): void {
  socket.on("data", (bytes: string) => {
    if (bytes.startsWith("GET")) write(ok);
  });
}

const framing = ["Transfer-Encoding: chunked", "Connection: close"];
const upload = request("POST", "/x", ...framing);
const beginning = `${upload}5\r\n01234\r\n`;
const tooMuch = "1\r\n5\r\n0\r\n\r\n";
const oneFailure = { QoSOptions: { MinimumThroughput: 1 } };

describe.each(engines)("A body that grows over its limit behind a handler, with $name,", ({ create }) => {
  async function start({ route, gateway, ...more }: SceneOptions, concurrent = 1): Promise<Scene> {
    return setScene(create(), {
      serveOne: answersReads,
      isPlain: true,
      ...more,
      route: { ...oneFailure, Limits: { Body: 5 }, ...route },
      gateway: { ...gateway, limits: { concurrent } },
    });
  }

  /** The place, the connection and the host are there for another client. */
  async function refused(scene: Scene, client: Wire, status: string, code: string): Promise<void> {
    await client.until(`"code":"${code}"`);
    expect(client.received()).toContain(`HTTP/1.1 ${status} `);
    await client.ended;
    const { write, until } = scene.client();
    write(request("GET", "/x"));
    await until("HTTP/1.1 200 OK");
    await scene.leave();
  }

  describe("is 413, and nothing of the host", () => {
    test.each(makes)("that %s", async (_name, make) => {
      const scene = await start({ gateway: { handlers: [handling(make)] } });
      const client = scene.client();
      client.write(beginning);
      await later();
      client.write(tooMuch);
      await refused(scene, client, "413", "body-too-large");
    });

    test.each(makes)("that %s, where all of it comes at once", async (_name, make) => {
      const scene = await start({ gateway: { handlers: [handling(make)] } });
      const client = scene.client();
      client.write(beginning + tooMuch);
      await refused(scene, client, "413", "body-too-large");
    });

    test("that answers for itself where its call fails", async () => {
      const answersItself: DelegatingHandler = async (outgoing, next, context) => {
        try {
          return await pipes(outgoing, next, context);
        } catch {
          return createAnswer({ status: 200, body: "of the handler" });
        }
      };
      const scene = await start({ gateway: { handlers: [answersItself] } });
      const client = scene.client();
      client.write(beginning + tooMuch);
      await refused(scene, client, "413", "body-too-large");
    });

    test("that pipes it once the service has some of it", async () => {
      const scene = await start({ gateway: { handlers: [pipes] } });
      const client = scene.client();
      client.write(beginning);
      const connection = await scene.upstream.next();
      await connection.until("01234");
      client.write(tooMuch);
      await connection.ended;
      expect(connection.received()).not.toContain("0\r\n\r\n");
      await refused(scene, client, "413", "body-too-large");
    });

    test("that pipes it, and is sent once more where it fails", async () => {
      const route = { Retry: { Count: 3, Methods: ["POST"] } };
      const scene = await start({ route, gateway: { handlers: [pipes] } });
      const client = scene.client();
      client.write(beginning);
      const connection = await scene.upstream.next();
      await connection.until("01234");
      client.write(tooMuch);
      await connection.ended;
      await refused(scene, client, "413", "body-too-large");
      expect(scene.upstream.allReceived().filter((bytes) => bytes.startsWith("POST"))).toHaveLength(1);
    });

    test("that pipes it, where it tells cached answers apart", async () => {
      const route = { Limits: { Body: 100_000 }, CacheOptions: { TtlSeconds: 10, EnableContentHashing: true } };
      const scene = await start({ route, gateway: { handlers: [pipes] } });
      const client = scene.client();
      client.write(`${upload}11170\r\n${"x".repeat(70_000)}\r\n`);
      client.write(`11170\r\n${"x".repeat(70_000)}\r\n0\r\n\r\n`);
      await refused(scene, client, "413", "body-too-large");
    });

    test("that would pipe it, had it not grown before anybody knew where the service runs", async () => {
      const { promise: told, resolve: tell } = Promise.withResolvers<number>();
      const { promise: arrived, resolve: arrive } = Promise.withResolvers<IncomingMessage>();
      const scene = await start({
        route: { DownstreamHostAndPorts: undefined, ServiceName: "late" },
        global: { ServiceDiscoveryProvider: { Type: "Late" } },
        gateway: {
          discovery: { Late: async (_service, update) => update([{ host: "127.0.0.1", port: await told }]) },
          middleware: [(req, _res, next) => (arrive(req), next())],
          handlers: [pipes],
        },
      });
      const client = scene.client();
      client.write(upload);
      const req = await arrived;
      await untilTrue(() => req.listenerCount("data") > 0);
      client.write(beginning.slice(upload.length) + tooMuch);
      await untilTrue(() => req.listenerCount("data") === 0);
      tell(scene.upstream.port);
      await refused(scene, client, "413", "body-too-large");
    });

    test("that pipes it for one part of several", async () => {
      const aggregates = [
        { UpstreamPathTemplate: "/all/{everything}", RouteKeys: ["a", "b"], UpstreamHttpMethod: ["POST"] },
      ];
      const scene = await start({ route: { Key: "a" }, aggregates, gateway: { handlers: [pipes] } }, 2);
      const client = scene.client();
      client.write(`${request("POST", "/all/x", ...framing)}5\r\n01234\r\n${tooMuch}`);
      await refused(scene, client, "413", "body-too-large");
    });
  });

  test("cuts an answer that has begun", async () => {
    const scene = await start({ gateway: { handlers: [pipes] } });
    const client = scene.client();
    client.write(beginning);
    const connection = await scene.upstream.next();
    await connection.until("01234");
    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nbegun");
    await client.until("begun");
    client.write(tooMuch);
    await Promise.all([connection.ended, client.ended]);
    await scene.leave();
  });

  test("aborts what a handler asks for by itself", async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<unknown>();
    const asks: DelegatingHandler = (outgoing, _next, { signal }) => {
      (outgoing.body as Readable).resume();
      return new Promise((_answer, reject) => {
        signal.addEventListener("abort", () => {
          resolve(signal.reason);
          reject(signal.reason as Error);
        });
      });
    };
    const scene = await start({ gateway: { handlers: [asks] } });
    const client = scene.client();
    client.write(beginning + tooMuch);
    await client.until('"code":"body-too-large"');
    expect(await aborted).toMatchObject({ code: "body-too-large" });
    await scene.leave();
  });

  test("is what a handler makes of it where the handler itself gives it up", async () => {
    const refuses: DelegatingHandler = async (outgoing, next) => {
      if (!(outgoing.body instanceof Readable)) return next();
      outgoing.body.destroy(new Error("not here"));
      await buffer(outgoing.body).catch(() => undefined);
      return createAnswer({ status: 422, body: Buffer.from('{"code":"not-here"}') });
    };
    const scene = await start({ gateway: { handlers: [refuses] } });
    const client = scene.client();
    client.write(`${upload}1\r\n0\r\n0\r\n\r\n`);
    await refused(scene, client, "422", "not-here");
  });

  test("is told as what it is, too, where middleware has made of it what cannot be sent", async () => {
    const decodes: GatewayHandler = (req, _res, next) => {
      req.setEncoding("ascii");
      next();
    };
    const scene = await start({ gateway: { handlers: [pipes], middleware: [decodes] } });
    const client = scene.client();
    client.write(beginning + "0\r\n\r\n");
    await refused(scene, client, "500", "handler-misuse");
  });

  test("leaves the host alone where it is a handler's stream that does not go on", async () => {
    const unzips = handling((body) => {
      const unzipped = body.pipe(createGunzip());
      unzipped.on("error", () => undefined);
      return unzipped.pipe(new PassThrough());
    });
    const route = { Limits: { Upload: 0.3 } };
    const scene = await start({ route, gateway: { handlers: [unzips] } });
    const client = scene.client();
    const piece = `186a0\r\n${"x".repeat(100_000)}\r\n`;
    client.write(`${upload}${piece}${piece}0\r\n\r\n`);
    await refused(scene, client, "500", "handler-misuse");
  });
});
