import { once } from "node:events";
import net from "node:net";
import { finished, PassThrough, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import { createAnswer, type DelegatingHandler, type GatewayOptions, type Responder } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const nothing = (): void => undefined;

/** Ways of code to write each answer, too, into a stream that stays open for all of them. */
const copyings: Readonly<Record<string, (body: Readable, all: PassThrough) => void>> = {
  pipe: (body, all) => void body.pipe(all, { end: false }),
  "pipe, and hears of the end of the body": (body, all) => {
    body.pipe(all, { end: false });
    finished(body, nothing);
  },
  "pipe through another": (body, all) => {
    body.pipe(new PassThrough()).pipe(all, { end: false });
    finished(body, nothing);
  },
  pipeline: (body, all) => void pipeline(body, all, { end: false }).catch(nothing),
  "pipeline through another": (body, all) => void pipeline(body, new PassThrough(), all, { end: false }).catch(nothing),
};

const whole = (path: string): string => `begin of ${path}\nend\n`;

/** Where code has the body of an answer. */
const places: Readonly<Record<string, (copy: (body: Readable) => void) => GatewayOptions>> = {
  "a handler": (copy) => ({ handlers: [copies(copy)] }),
  "a responder": (copy) => ({
    responder: ((upstream, _context, respond) => {
      copy(upstream.body);
      return respond();
    }) satisfies Responder,
  }),
};

function copies(copy: (body: Readable) => void): DelegatingHandler {
  return async (_outgoing, next) => {
    const answer = await next();
    copy(answer.body);
    return answer;
  };
}

describe.each(engines)("A stream into which code writes all answers ($name)", ({ create }) => {
  test.each(Object.keys(copyings).flatMap((copying) => Object.keys(places).map((place) => [copying, place] as const)))(
    "stays as it is where a client leaves: %s in %s",
    async (copying, place) => {
      const left = Promise.withResolvers<void>();
      const upstream = await startUpstream((req, res) => {
        res.write(`begin of ${req.url}\n`);
        if (req.url === "/left") res.on("close", left.resolve);
        else res.end("end\n");
      });
      const all = new PassThrough();
      let copied = "";
      all.on("data", (piece) => (copied += String(piece)));
      const gateway = await startGateway(routes(upstream.port), {
        engine: create(),
        ...places[place]!((body) => copyings[copying]!(body, all)),
      });
      expect(await (await fetch(`${gateway.origin}/first`)).text()).toBe(whole("/first"));
      const before = countListeners(all);
      const client = net.connect(gateway.port, "127.0.0.1").on("error", nothing);
      client.write("GET /left HTTP/1.1\r\nHost: a\r\n\r\n");
      await once(client, "data");
      client.destroy();
      await left.promise;
      await pause(20);
      for (const path of ["/second", "/third"]) {
        expect(await (await fetch(`${gateway.origin}${path}`)).text()).toBe(whole(path));
      }
      expect(all.destroyed).toBe(false);
      expect(copied).toBe(`${whole("/first")}begin of /left\n${whole("/second")}${whole("/third")}`);
      // Of a pipeline that breaks off Node leaves its own listeners.
      if (!copying.startsWith("pipeline")) expect(countListeners(all)).toEqual(before);
      await gateway.close();
      await upstream.close();
    },
  );

  test("is read by other clients when one leaves whose answer was written there", async () => {
    const upstream = await startUpstream((_req, res) => void res.write("begin\n"));
    const all = new PassThrough();
    const watches: DelegatingHandler = async ({ path }, next) => {
      if (path === "/watch") return createAnswer({ status: 200, body: all.pipe(new PassThrough()) });
      const answer = await next();
      copyings.pipe!(answer.body, all);
      finished(answer.body, nothing);
      return answer;
    };
    const gateway = await startGateway(routes(upstream.port), { engine: create(), handlers: [watches] });
    const watching = await fetch(`${gateway.origin}/watch`);
    const reader = watching.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let round = 0; round < 2; round += 1) {
      const client = net.connect(gateway.port, "127.0.0.1").on("error", nothing);
      client.write("GET /left HTTP/1.1\r\nHost: a\r\n\r\n");
      expect(await reader.read()).toEqual({ done: false, value: "begin\n" });
      client.destroy();
      await pause(50);
    }
    await reader.cancel();
    await gateway.close();
    await upstream.close();
  });
});

function routes(Port: number): object {
  const host = { Host: "127.0.0.1", Port };
  return {
    Routes: [{ UpstreamPathTemplate: "/{path}", DownstreamPathTemplate: "/{path}", DownstreamHostAndPorts: [host] }],
  };
}

function countListeners(stream: PassThrough): Readonly<Record<string, number>> {
  return Object.fromEntries(stream.eventNames().map((name) => [name, stream.listenerCount(name)]));
}
