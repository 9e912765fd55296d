import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import type { RequestHandler } from "express";
import { fromMiddleware, type GatewayOptions } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { hurryUntil } from "../helpers/hurry.ts";
import { json, pass, startWhole } from "./start-posted-whole.ts";

afterEach(() => void jest.useRealTimers());

type Read = (req: IncomingMessage) => Promise<Buffer>;

/** Ways to read a body that find at once that there is nothing more to come. */
const quick: Readonly<Record<string, Read>> = {
  "a loop": (req) => buffer(req),
  "a pipe": (req) => buffer(req.pipe(new PassThrough())),
  "a listener for what can be read": (req) =>
    new Promise((resolve) => {
      const pieces: Buffer[] = [];
      req.on("end", () => resolve(Buffer.concat(pieces)));
      req.on("readable", () => {
        const piece = req.read() as Buffer | null;
        if (piece !== null) pieces.push(piece);
      });
    }),
};

/** Ways to read a body that wait for its end. */
const waiting: Readonly<Record<string, Read>> = {
  "listeners for pieces and for the end": (req) =>
    new Promise((resolve, reject) => {
      const pieces: Buffer[] = [];
      req.on("data", (piece: Buffer) => pieces.push(piece));
      req.on("error", reject).on("end", () => resolve(Buffer.concat(pieces)));
    }),
  "a promise of its end": async (req) => {
    const pieces: Buffer[] = [];
    req.on("data", (piece: Buffer) => pieces.push(piece));
    await once(req, "end");
    return Buffer.concat(pieces);
  },
};

const ignore = (): undefined => undefined;

const who = { sub: "somebody" };

/** Where code reads a body that stands in a program once, and runs for each part. */
const places: Readonly<Record<string, (read: Read) => GatewayOptions>> = {
  middleware: (read) => ({ middleware: [async (req, _res, next) => (await keep(req, read), next())] }),
  "a scheme": (read) => ({
    authentication: { own: async (req) => (await keep(req, read), { id: "somebody", claims: who }) },
  }),
  "middleware that is a scheme": (read) => ({
    authentication: {
      own: fromMiddleware(
        async (req, _res, next) => (await keep(req, read), next()),
        () => who,
      ),
    },
  }),
};

async function keep(req: IncomingMessage, read: Read): Promise<void> {
  Reflect.set(req, "rawBody", await read(req));
}

async function ask(origin: string, body?: string) {
  const sent = body === undefined ? {} : { method: "POST", headers: { "content-type": json }, body };
  const answer = await fetch(`${origin}/both`, sent);
  return `${answer.status} ${await answer.text()}`;
}

const whole = /^200 \{"a":.*,"b":.*\}$/;
const misuse = /^500 .*reads the body of the request again.*if \(req\.readableEnded\) return next\(\);/s;
const fakeTimers = () => jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });

describe.each(engines)("A body that is read for each part ($name)", ({ create }) => {
  describe.each(Object.entries(places))("by %s", (_place, reading) => {
    test.each(Object.entries({ ...quick, ...waiting }))("is empty where there is none: %s", async (_how, read) => {
      const { upstream, origin } = await startWhole(pass, { engine: create(), ...reading(read) });
      expect(await ask(origin)).toMatch(whole);
      expect(upstream.requests.map(({ body }) => body.length)).toEqual([0, 0]);
    });

    test.each(Object.entries(quick))("is refused at once, and never sent empty: %s", async (_how, read) => {
      const { upstream, origin } = await startWhole(pass, { engine: create(), ...reading(read) });
      expect(await ask(origin, "{}")).toMatch(misuse);
      expect(upstream.requests).toEqual([]);
    });

    test.each(Object.entries(waiting))("is refused before long, and not waited for: %s", async (_how, read) => {
      const { upstream, origin } = await startWhole(pass, { engine: create(), ...reading(read) });
      fakeTimers();
      expect(await hurryUntil(ask(origin, "{}"))).toMatch(misuse);
      expect(upstream.requests).toEqual([]);
    });
  });

  const readOnce: RequestHandler = async (req, _res, next) => {
    if (req.readableEnded) return next();
    await keep(req, quick["a loop"]!);
    next();
  };

  test("goes to all where it is read for the first one alone, and others only listen to it", async () => {
    const listening: RequestHandler = (req, _res, next) => {
      req.on("data", ignore).on("end", ignore);
      next();
    };
    const slow: RequestHandler = (_req, _res, next) => void setTimeout(next, 8_000);
    const { upstream, origin } = await startWhole(pass, { engine: create(), middleware: [readOnce, listening, slow] });
    fakeTimers();
    expect(await hurryUntil(ask(origin, '{"x":1}'))).toMatch(whole);
    expect(upstream.requests.map(({ body }) => body.toString())).toEqual(['{"x":1}', '{"x":1}']);
  });
});
