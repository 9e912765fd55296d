import { once } from "node:events";
import { createInterface } from "node:readline";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "@jest/globals";
import express from "express";
import type { DelegatingHandler, GatewayHandler } from "../../../src/index.ts";
import { request, type SceneOptions } from "../scene.ts";
import { answering } from "./row.ts";
import { chunks, type Fault, large, upload } from "./fault.ts";

const limit = 0.3;
const Limits = { Upload: limit };

/** Longer than an upload may stand still. */
const pause = (): Promise<void> => wait(limit * 2_000);

/** What code of the app does with an upload; what comes of it is sent in its place. */
type Use = (body: Readable) => Promise<unknown>;

const handler =
  (use: Use): DelegatingHandler =>
  async (outgoing, next) => {
    outgoing.body = Buffer.from(String(await use(outgoing.body as Readable)));
    return next();
  };

const middleware =
  (use: Use): GatewayHandler =>
  (req, res, next) =>
    void use(req).then((text) => res.end(String(text)), next);

const parser: GatewayHandler = (req, res, next) => (express.json() as GatewayHandler)(req, res, next);

async function readSlowly(body: Readable): Promise<number> {
  let length = 0;
  for await (const piece of body) {
    if (length === 0) await pause();
    length += (piece as Buffer).length;
  }
  return length;
}

async function pipeSlowly(body: Readable): Promise<number> {
  const piped = body.pipe(new PassThrough());
  await pause();
  return (await buffer(piped)).length;
}

async function readLate(body: Readable): Promise<number> {
  await pause();
  return (await buffer(body)).length;
}

async function* withEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

/** Sends the lines of a body in its place. */
const asLines: DelegatingHandler = (outgoing, next) => {
  outgoing.body = Readable.from(withEnds(createInterface({ input: outgoing.body as Readable })));
  return next();
};

async function discard(body: Readable): Promise<string> {
  await once(body.resume(), "end");
  return "";
}

/** An upload stops, and code of the app waits for more of it. */
function stalls(name: string, options: SceneOptions, sent = `${upload}01234`): Fault {
  return {
    name: `upload read by code: it stops, and ${name} waits for more`,
    options: { ...options, route: { Limits, ...options.route } },
    async play({ client, logged }) {
      const { write, until, received } = client();
      write(sent);
      await until('"code":"upload-stalled"');
      expect(received()).toMatch(/^HTTP\/1.1 408 [^]*connection: close/i);
      expect(logged).toEqual(["upload-stalled"]);
    },
  };
}

/** An upload waits for code of the app for longer than it may stand still itself. */
function waits(name: string, gateway: SceneOptions["gateway"]): Fault {
  return {
    name: `upload read by code: it waits for ${name}`,
    options: { route: { Limits }, serveOne: answering(), ...(gateway && { gateway }) },
    async play({ client, logged }) {
      const { write, until } = client();
      write(`${request("POST", "/x", `Content-Length: ${large.length + 1}`)}${large}`);
      await pause();
      write("x");
      await until("HTTP/1.1 200 OK");
      expect(logged).toEqual([]);
    },
  };
}

const json = request("POST", "/x", "Content-Type: application/json", "Content-Length: 10");

/** Middleware that listens for what it never reads. */
const listensInVain: GatewayHandler = (req, _res, next) => {
  req.on("readable", () => undefined);
  next();
};

/** What becomes of uploads that code of the app reads. */
export const readByCodeFaults: readonly Fault[] = [
  stalls("a handler", { gateway: { handlers: [handler(buffer)] } }),
  stalls("a handler that has got nothing of it", { gateway: { handlers: [handler(buffer)] } }, chunks),
  stalls("a handler, or the measure of its length,", {
    gateway: { handlers: [handler(buffer)] },
    route: { Limits: { ...Limits, Body: 100 } },
  }),
  stalls("a handler that throws it away", { gateway: { handlers: [handler(discard)] } }),
  stalls("middleware", { gateway: { middleware: [middleware(buffer)] } }),
  stalls("middleware that pipes it", {
    gateway: { middleware: [middleware((body) => buffer(body.pipe(new PassThrough())))] },
  }),
  stalls("a body parser", { gateway: { middleware: [parser] } }, `${json}{"`),
  stalls("a scheme", {
    route: { AuthenticationOptions: { AuthenticationProviderKeys: ["Signed"] } },
    gateway: { authentication: { Signed: async (req) => ({ id: String(await buffer(req)), claims: {} }) } },
  }),
  stalls(
    "an aggregate",
    {
      route: { Key: "a" },
      aggregates: [{ UpstreamPathTemplate: "/all/{everything}", RouteKeys: ["a", "b"], UpstreamHttpMethod: ["POST"] }],
    },
    `${request("POST", "/all/x", "Content-Length: 10")}01234`,
  ),
  waits("a handler that reads slowly", { handlers: [handler(readSlowly)] }),
  waits("a handler that pipes it to what stands still", { handlers: [handler(pipeSlowly)] }),
  waits("a handler that is still to begin", { handlers: [handler(readLate)] }),
  waits("middleware that reads slowly", { middleware: [middleware(readSlowly)] }),
  waits("middleware that pipes it to what stands still", { middleware: [middleware(pipeSlowly)] }),
  waits("middleware that is still to begin", { middleware: [middleware(readLate)] }),
  {
    name: "upload read by code: it is longer than it may be when nobody listens to its lines yet",
    options: { route: { Limits: { Body: 100 } }, serveOne: answering(), gateway: { handlers: [asLines] } },
    async play({ client, logged }) {
      const { write, until } = client();
      write(`${chunks}3E8\r\n${"x".repeat(1_000)}\r\n0\r\n\r\n`);
      await until('"code":"body-too-large"');
      expect(logged).toEqual(["body-too-large"]);
    },
  },
  {
    name: "upload read by code: it goes on with nothing but the frame of a chunk",
    options: { route: { Limits }, gateway: { middleware: [middleware(buffer)] } },
    async play({ client, logged }) {
      const { write, until } = client();
      write(`${chunks}5\r\n01234\r\n`);
      const frame = setInterval(() => write("0"), 20);
      await until('"code":"upload-stalled"').finally(() => clearInterval(frame));
      expect(logged).toEqual(["upload-stalled"]);
    },
  },
  {
    name: "upload read by code: it stops, and middleware waits for something else",
    options: { route: { Limits }, gateway: { middleware: [middleware(readLate)] } },
    async play({ client, logged }) {
      const { write, until } = client();
      write(`${upload}01234`);
      await pause();
      write("56789");
      await until("HTTP/1.1 200 OK");
      expect(logged).toEqual([]);
    },
  },
  {
    name: "upload read by code: a listener keeps it from flowing, and the upstream is not blamed",
    options: { route: { Limits, QoSOptions: { MinimumThroughput: 1 } }, gateway: { middleware: [listensInVain] } },
    async play({ client, logged }) {
      for (let time = 0; time < 3; time += 1) {
        const { write, until } = client();
        write(`${upload}0123456789`);
        await until('"code":"handler-misuse"');
      }
      expect(logged).toEqual(["handler-misuse", "handler-misuse", "handler-misuse"]);
    },
  },
  {
    name: "upload read by code: it stops behind the gateway",
    options: { route: { Limits }, gateway: { middleware: [(_req, _res, next) => next("router")] } },
    async play({ client, logged }) {
      const { write, until } = client();
      write(`${upload}01234`);
      await pause();
      write("56789");
      await until("HTTP/1.1 404 Not Found");
      expect(logged).toEqual([]);
    },
  },
];
