import { once } from "node:events";
import net from "node:net";
import { createInterface } from "node:readline";
import { PassThrough, Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import { createAnswer, type DelegatingHandler, type GatewayOptions, type Responder } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

/** What code makes of a body, to whose failure nobody listens before it is handed over. */
const derivings: Readonly<Record<string, (body: Readable) => Readable>> = {
  web: (body) => Readable.fromWeb(Readable.toWeb(body).pipeThrough(new TransformStream())),
  composed: (body) => body.compose(new PassThrough()) as Readable,
  handedOn(body) {
    const passing = new PassThrough();
    body.on("error", (error) => passing.destroy(error));
    return body.pipe(passing);
  },
  lines(body) {
    const upper = new PassThrough();
    createInterface({ input: body }).on("line", (line) => upper.write(line.toUpperCase()));
    return upper;
  },
};

/** How long code keeps a stream to itself while its client leaves. */
const moment = 100;
/** By then bodies that nobody took are closed. */
const soon = 1_300;

const derive = (path: string, body: Readable): Readable => derivings[path.slice(1)]!(body);

/** Ways of code that leave a body behind; all of them live in Express with `fetch`. */
const ways: readonly (readonly [name: string, options: GatewayOptions, gets: "nothing" | RegExp])[] = [
  [
    "hands it over when its client has left",
    { handlers: [handler(async (made) => await handOverLate(made))] },
    "nothing",
  ],
  ["fails meanwhile", { handlers: [handler(() => Promise.reject(new Error("no")))] }, /^HTTP\/1.1 500/],
  [
    "answers something else",
    { handlers: [handler(() => createAnswer({ status: 502, body: "sorry" }))] },
    /^HTTP\/1.1 502/,
  ],
  [
    "answers another stream",
    { handlers: [handler(() => createAnswer({ status: 502, body: Readable.from(["sorry"]) }))] },
    /^HTTP\/1.1 502/,
  ],
  ["hands it over at once", { handlers: [handler((made) => createAnswer({ status: 200, body: made }))] }, "nothing"],
  ["fails in a responder", { responder: failsLate }, /^HTTP\/1.1 500/],
];

function handler(
  answer: (made: Readable) => ReturnType<DelegatingHandler> | Awaited<ReturnType<DelegatingHandler>>,
): DelegatingHandler {
  return async ({ path }, next) => answer(derive(path, (await next()).body));
}

async function handOverLate(body: Readable): ReturnType<DelegatingHandler> {
  await pause(moment);
  return createAnswer({ status: 200, body });
}

async function failsLate(...[{ body }, { req }]: Parameters<Responder>): Promise<void> {
  derive(req.url!, body);
  await pause(moment);
  throw new Error("no");
}

/** Asks for something, and leaves a moment later, or once there is an answer. */
async function visit({ port }: RunningGateway, path: string, gets: "nothing" | RegExp): Promise<void> {
  const client = net.connect(port, "127.0.0.1").on("error", () => undefined);
  client.write(`GET /${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  if (gets === "nothing") await pause(moment / 2);
  else expect(String((await once(client, "data"))[0])).toMatch(gets);
  client.destroy();
}

describe.each(engines)("Bodies that code leaves behind ($name)", ({ create }) => {
  test.each([["", {}] as const, [", on a route with a cache", { CacheOptions: { TtlSeconds: 20 } }] as const])(
    "end no process, and no connection stays%s",
    async (_name, cache) => {
      const upstream = await startUpstream((_req, res) => {
        const writing = setInterval(() => res.write("line\n"), 10);
        res.on("close", () => clearInterval(writing));
      });
      const host = { Host: "127.0.0.1", Port: upstream.port };
      const route = { UpstreamPathTemplate: "/{kind}", DownstreamPathTemplate: "/{kind}", ...cache };
      const config = { Routes: [{ ...route, DownstreamHostAndPorts: [host] }] };
      await Promise.all(
        ways.map(async ([, options, gets]) => {
          const gateway = await startGateway(config, { logger: false, engine: create(), ...options });
          await Promise.all(Object.keys(derivings).map((kind) => visit(gateway, kind, gets)));
          await pause(soon);
          await gateway.close();
        }),
      );
      const open = await new Promise((resolve) => upstream.server.getConnections((_error, count) => resolve(count)));
      expect(open).toBe(0);
      await upstream.close();
    },
  );
});
