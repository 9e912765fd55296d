import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import compression from "compression";
import cors from "cors";
import type { RequestHandler } from "express";
import { rateLimit } from "express-rate-limit";
import session from "express-session";
import helmet from "helmet";
import morgan from "morgan";
import passport from "passport";
import { engines } from "../helpers/engines.ts";
import { type Forwarded, places, sendThrough, upstreamsBody } from "./forwarded-request.ts";

const lines: string[] = [];

/** A strategy that knows everybody by a header. */
const strategy = Object.assign(new passport.Strategy(), {
  name: "header",
  authenticate(
    this: { success: (user: object) => void; fail: (status: number) => void },
    req: { headers: Record<string, unknown> },
  ) {
    if (req.headers["x-user"] === undefined) this.fail(401);
    else this.success({ name: req.headers["x-user"] });
  },
});
const authenticator = new passport.Passport();
authenticator.use(strategy as passport.Strategy);

type Row = Readonly<{
  name: string;
  handler: () => RequestHandler;
  headers?: Record<string, string>;
  /** What the middleware exists to change. */
  changes: (forwarded: Forwarded) => void;
  body?: (answer: Forwarded["answer"]) => string;
}>;

const rows: readonly Row[] = [
  {
    name: "compression",
    handler: () => compression(),
    headers: { "accept-encoding": "gzip" },
    changes: ({ answer }) => {
      expect(answer.headers).toMatchObject({ "content-encoding": "gzip", vary: "Accept, Accept-Encoding" });
      expect(answer.headers).not.toHaveProperty("content-length");
    },
    body: ({ body }) => gunzipSync(body).toString(),
  },
  {
    name: "compression, of a client that takes none",
    handler: () => compression(),
    changes: ({ answer }) => expect(answer.headers).not.toHaveProperty("content-encoding"),
  },
  {
    name: "helmet",
    handler: () => helmet(),
    changes: ({ answer }) => expect(answer.headers).toMatchObject({ "x-content-type-options": "nosniff" }),
  },
  {
    name: "cors",
    handler: () => cors({ origin: "https://shop.example", credentials: true }),
    headers: { origin: "https://shop.example" },
    changes: ({ answer }) => {
      expect(answer.headers).toMatchObject({
        "access-control-allow-origin": "https://shop.example",
        vary: "Origin, Accept",
      });
    },
  },
  {
    name: "morgan",
    handler: () => morgan("tiny", { stream: { write: (line) => lines.push(line) } }) as RequestHandler,
    changes: () => expect(lines.at(-1)).toMatch(/^POST \/x 200 /),
  },
  {
    name: "express-rate-limit",
    handler: () => rateLimit({ windowMs: 60_000, limit: 5, standardHeaders: "draft-6" }),
    changes: ({ answer }) =>
      expect(answer.headers).toMatchObject({ "ratelimit-limit": "5", "ratelimit-remaining": "4" }),
  },
  {
    name: "express-session",
    handler: () => session({ secret: "test", resave: false, saveUninitialized: true }),
    changes: ({ answer }) => {
      expect(answer.headers["set-cookie"]!.map((cookie) => cookie.replace(/=.*/, "")).sort()).toEqual([
        "connect.sid",
        "up",
      ]);
    },
  },
  {
    name: "passport",
    handler: () => authenticator.authenticate("header", { session: false }) as RequestHandler,
    headers: { "x-user": "ada" },
    changes: ({ arrived }) => expect(arrived!.headers["x-user"]).toBe("ada"),
  },
];

const sent = '{"exact":  "bytes"}';

describe.each(engines)("well-known middleware leaves what goes through as it is: $name", ({ create }) => {
  describe.each(places)("%s", (place) => {
    test.each(rows)("$name", async ({ handler, headers = {}, changes, body = (answer) => answer.body.toString() }) => {
      const forwarded = await sendThrough({
        engine: create(),
        place,
        handlers: [handler()],
        send: {
          method: "POST",
          body: sent,
          headers: { "content-type": "application/json", "content-length": sent.length, ...headers },
        },
      });
      const { arrived, answer } = forwarded;
      changes(forwarded);
      expect(answer.status).toBe(200);
      expect(answer.headers["content-type"]).toBe("application/json");
      expect(body(answer)).toBe(upstreamsBody);
      expect(arrived!.body.toString()).toBe(sent);
      expect(arrived!.headers).toMatchObject({ "content-type": "application/json", ...headers });
    });

    test("middleware that collects an answer gets its bytes, however short it is", async () => {
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
      const collected: Buffer[] = [];
      const collect: RequestHandler = (_req, res, next) => {
        const write = res.write.bind(res) as (...parts: unknown[]) => boolean;
        const end = res.end.bind(res) as (...parts: unknown[]) => typeof res;
        res.write = (piece: Buffer, ...rest: unknown[]) => {
          collected.push(piece);
          return write(piece, ...rest);
        };
        res.end = (piece?: Buffer | (() => void), ...rest: unknown[]) => {
          if (typeof piece === "object") collected.push(piece);
          return end(piece, ...rest);
        };
        next();
      };
      const { answer } = await sendThrough({ engine: create(), place, handlers: [collect], send: {}, answers: bytes });
      expect(answer.body).toEqual(bytes);
      expect(Buffer.concat(collected)).toEqual(bytes);
    });

    test("express-rate-limit refuses, and nothing reaches the upstream", async () => {
      const { arrived, answer } = await sendThrough({
        engine: create(),
        place,
        handlers: [rateLimit({ limit: 0, windowMs: 60_000, validate: false })],
        send: {},
      });
      expect([answer.status, arrived]).toEqual([429, undefined]);
    });

    test("passport refuses, and nothing reaches the upstream", async () => {
      const handlers = [authenticator.authenticate("header", { session: false }) as RequestHandler];
      const { arrived, answer } = await sendThrough({ engine: create(), place, handlers, send: {} });
      expect([answer.status, arrived]).toEqual([401, undefined]);
    });

    test("cors answers a preflight itself", async () => {
      const { arrived, answer } = await sendThrough({
        engine: create(),
        place,
        handlers: [cors()],
        send: { method: "OPTIONS", headers: { origin: "https://a.example", "access-control-request-method": "PUT" } },
      });
      expect([answer.status, arrived]).toEqual([204, undefined]);
    });
  });
});
