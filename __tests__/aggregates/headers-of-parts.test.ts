import http, { type IncomingMessage } from "node:http";
import { describe, expect, test } from "@jest/globals";
import type { RequestHandler } from "express";
import { createAnswer, fromMiddleware } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type Keys, startWhole } from "./start-whole.ts";

const asked = { AuthenticationOptions: { AuthenticationProviderKeys: ["Badge"] } };

/** What tells headers on a request, as far as these tests send and set any. */
function look({ headers, headersDistinct, rawHeaders, trailers, trailersDistinct }: IncomingMessage) {
  return {
    headers: [headers["x-key"], headers["x-own"]],
    distinct: [headersDistinct["x-key"], headersDistinct["x-own"]],
    raw: rawHeaders.filter((text) => /^(X-Key|X-Own|sent|own)$/.test(text)),
    trailers: [trailers["x-sum"], trailersDistinct["x-sum"]],
  };
}

const asSent = {
  headers: ["sent", undefined],
  distinct: [["sent"], undefined],
  raw: ["X-Key", "sent"],
  trailers: ["7", ["7"]],
};

/** What middleware changes of all that tells headers. */
const settings: readonly Readonly<{ how: string; set: (req: IncomingMessage) => void }>[] = [
  {
    how: "in the headers",
    set({ headers }) {
      headers["x-own"] = "own";
      delete headers["x-key"];
    },
  },
  { how: "in place of the headers", set: (req) => (req.headers = { "x-own": "own" }) },
  { how: "in the raw headers", set: ({ rawHeaders }) => rawHeaders.push("X-Own", "own") },
  { how: "in place of the lists of headers", set: (req) => (req.headersDistinct = { "x-own": ["own"] }) },
  {
    how: "in place of the trailers",
    set(req) {
      req.trailers = { "x-sum": "own" };
      req.trailersDistinct = { "x-sum": ["own"] };
    },
  },
];

describe.each(engines)("What middleware sets for a part ($name)", ({ create }) => {
  /** All that behind the parts find, in this order: an aggregator, a responder, and listeners to the end of the answer. */
  async function startLooking(keys: Readonly<Record<string, Keys>>, options: Parameters<typeof startWhole>[1]) {
    const behind: ReturnType<typeof look>[] = [];
    const { aggregate, ...others } = keys;
    const whole = await startWhole(
      { ...others, aggregate: { Aggregator: "join", ...aggregate } },
      {
        engine: create(),
        aggregators: {
          join(_parts, { req }) {
            behind.push(look(req));
            return createAnswer({ status: 200 });
          },
        },
        responder(_answer, { req }, respond) {
          behind.push(look(req));
          return respond();
        },
        ...options,
      },
    );
    whole.gateway.server.prependListener("request", (req, res) => {
      res.once("finish", () => behind.push(look(req)));
    });
    return { ...whole, behind };
  }

  test.each(settings)("$how is for this part alone", async ({ set }) => {
    const [found, sent]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
    const { origin, gateway, behind } = await startLooking(
      {},
      {
        middleware: [
          readBody,
          (req, res, next) => {
            const { id } = res.locals.route as { id: string };
            found[id] = look(req);
            set(req);
            sent[id] = look(req);
            next();
          },
        ],
        handlers: [
          (_outgoing, next, { req, route }) => {
            sent[`${route.id} handled`] = look(req);
            return next();
          },
        ],
      },
    );
    await post(`${origin}/both`);
    await gateway.gateway.close();
    expect([found, behind]).toEqual([{ a: asSent, b: asSent }, [asSent, asSent, asSent]]);
    expect(sent.a).not.toEqual(asSent);
    expect(sent).toEqual({ a: sent.a, b: sent.a, "a handled": sent.a, "b handled": sent.a });
  });

  test("is not what comes behind the body that a part has asked for before", async () => {
    const sent: Record<string, unknown> = {};
    const { origin } = await startLooking(
      {},
      {
        middleware: [
          (req, _res, next) => {
            sent.before ??= req.trailers["x-sum"];
            next();
          },
        ],
        handlers: [
          (_outgoing, next, { req, route }) => {
            sent[route.id] = look(req).trailers;
            return next();
          },
        ],
      },
    );
    await post(`${origin}/both`);
    expect(sent).toEqual({ before: undefined, a: asSent.trailers, b: asSent.trailers });
  });

  test("of headers as a scheme is for this part alone", async () => {
    const scheme = fromMiddleware(
      (req, _res, next) => {
        req.headers["x-own"] = "own";
        next();
      },
      () => ({ sub: "ann" }),
    );
    const sent: unknown[] = [];
    const { origin, gateway, behind } = await startLooking(
      { a: asked, b: asked },
      {
        authentication: { Badge: scheme },
        middleware: [readBody],
        handlers: [
          (_outgoing, next, { req }) => {
            sent.push(look(req).headers);
            return next();
          },
        ],
      },
    );
    await post(`${origin}/both`);
    await gateway.gateway.close();
    const ofPart = ["sent", "own"];
    expect([sent, behind]).toEqual([
      [ofPart, ofPart],
      [asSent, asSent, asSent],
    ]);
  });

  test("gives the whole no header back that is set from claims", async () => {
    const told = { ...asked, AddHeadersToRequest: { "X-Own": "Claims[sub] > value" } };
    const { origin, gateway, behind } = await startLooking(
      { b: told },
      { authentication: { Badge: () => ({ id: "ann", claims: { sub: "ann" } }) }, middleware: [readBody] },
    );
    await post(`${origin}/both`, { "X-Own": "own" });
    await gateway.gateway.close();
    expect(behind.map(({ headers, distinct }) => [headers, distinct])).toEqual(
      behind.map(() => [asSent.headers, asSent.distinct]),
    );
    expect(behind).toHaveLength(3);
  });

  test("stays set for the whole, by the only part", async () => {
    const { origin, gateway, behind } = await startLooking(
      { aggregate: { RouteKeys: ["a"], Aggregator: undefined } },
      {
        middleware: [
          readBody,
          (req, _res, next) => {
            req.headers["x-own"] = "own";
            next();
          },
        ],
      },
    );
    await post(`${origin}/both`);
    await gateway.gateway.close();
    const own = { ...asSent, headers: ["sent", "own"] };
    expect(behind).toEqual([own, own]);
  });
});

/** A parser that keeps the bytes. */
const readBody: RequestHandler = (req, _res, next) => {
  if (req.complete) return next();
  const pieces: Buffer[] = [];
  req
    .on("data", (piece: Buffer) => pieces.push(piece))
    .once("end", () => {
      Object.assign(req, { rawBody: Buffer.concat(pieces) });
      next();
    });
};

/** Posts a body with a trailer. */
async function post(url: string, more: http.OutgoingHttpHeaders = {}): Promise<void> {
  const headers = { "X-Key": "sent", "Transfer-Encoding": "chunked", Trailer: "X-Sum", ...more };
  await new Promise<void>((resolve, reject) => {
    const request = http.request(url, { method: "POST", headers, agent: false }, (answer) => {
      answer.resume().once("end", resolve);
    });
    request.once("error", reject).addTrailers({ "X-Sum": "7" });
    request.end("body");
  });
}
