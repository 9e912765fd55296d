import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "@jest/globals";
import express, { type RequestHandler } from "express";
import { createPartBodies, type PartBodies, type PartBody } from "../../src/bodies/parsed/body-of-part.ts";
import { engines } from "../helpers/engines.ts";
import { pass, post, startWhole } from "./start-posted-whole.ts";

describe.each(engines)("A parsed body of an aggregate that makes many calls ($name)", ({ create }) => {
  test("that is long lets requests be served between the calls that copy it", async () => {
    let turns = 0;
    let timer: NodeJS.Immediate | undefined;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    const seen: number[] = [];
    const { origin } = await startWhole(express.json(), {
      engine: create(),
      calls: 40,
      middleware: [
        (req, res, next) => {
          if (timer === undefined) count();
          if (res.locals.route.id === "values") seen.push(turns);
          next(req.body.none);
        },
      ],
    });
    const long = JSON.stringify(Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`name${n}`, n])));
    expect(await post(`${origin}/list`, long)).toBe(200);
    clearImmediate(timer);
    // The first is for the judgement of the client.
    expect(new Set(seen).size).toBeGreaterThanOrEqual(40);
  });

  test("that has too many members to be copied for all is refused, and untouched it is not", async () => {
    const list = Object.assign(Array<number>(3 * 1024 * 1024).fill(0), { toJSON: () => [] });
    const parse = express().use(express.json(), (req, _res, next) => {
      req.body = list;
      next();
    });
    const read: RequestHandler = ({ body }, _res, next) => next(body.none);
    // Nobody is above what runs later: an error that reading a property throws there would end the process.
    const readLater: RequestHandler = (req, _res, next) => void setImmediate(() => next(req.body.none));
    const setLater: RequestHandler = (req, _res, next) => void setImmediate(() => next(void (req.body = [...list])));
    for (const [middleware, status] of [
      [read, 413],
      [readLater, 413],
      [setLater, 413],
      [pass, 200],
    ] as const) {
      const { origin } = await startWhole(parse, { engine: create(), calls: 6, middleware: [middleware] });
      expect(await post(`${origin}/list`, "[]")).toBe(status);
    }
  });
});

describe("Copies that are kept for calls of aggregates", () => {
  const list = Array<number>(5 * 1024 * 1024).fill(0);

  const begin = (): Readonly<{ bodies: PartBodies; body: PartBody }> => {
    const bodies = createPartBodies(new IncomingMessage(new Socket()), { kind: "chunked" });
    return { bodies, body: bodies.begin(list) };
  };

  test("have room for the bytes that handlers read, until the call is sent", () => {
    const bytes = Buffer.alloc(100 * 1024 * 1024);
    const { bodies, body } = begin();
    for (let call = 0; call < 3; call += 1) {
      expect(body.ownBytes(bytes)).not.toBe(bytes);
      body.sent();
    }
    expect(bodies.refusal()).toBeUndefined();
    for (let call = 0; call < 3; call += 1) body.ownBytes(bytes);
    expect(bodies.refusal()?.message).toContain("Too many copies of long bodies");
    body.end();
    const next = begin();
    next.body.ownBytes(bytes);
    next.body.end();
    expect(next.bodies.refusal()).toBeUndefined();
  });

  let changes = 0;

  // What there is no room to copy is changed where it is: no two changes are the same.
  function change() {
    const begun = begin();
    changes += 1;
    (begun.body.get() as number[])[0] = changes;
    begun.body.admitted();
    return { ...begun, first: changes };
  }

  test("are refused where all aggregates keep too many, until some are over", () => {
    const kept = Array.from({ length: 6 }, change);
    expect(kept.map(({ bodies }) => bodies.refusal())).toEqual(Array(6).fill(undefined));
    expect(change().bodies.refusal()?.message).toContain("Too many copies of long bodies");
    for (const { body } of kept) body.end();
    for (let n = 0; n < 10; n += 1) {
      const { bodies, body } = change();
      expect(bodies.refusal()).toBeUndefined();
      body.end();
    }
  });

  test("give their room back when what they were for has been sent, though middleware has changed them a little", () => {
    const kept = Array.from({ length: 10 }, () => {
      const begun = change();
      begun.body.sent();
      return begun;
    });
    expect(kept.map(({ bodies }) => bodies.refusal())).toEqual(Array(10).fill(undefined));
    for (const { body, first } of kept) {
      expect((body.get() as number[])[0]).toBe(first);
      body.end();
    }
  });

  test("have room for short bodies, however many of long ones are kept", () => {
    const kept = Array.from({ length: 7 }, change);
    const bodies = createPartBodies(new IncomingMessage(new Socket()), { kind: "chunked" });
    const short = bodies.begin({ x: 1 });
    expect(Object.assign(short.get() as object, { y: 2 })).toEqual({ x: 1, y: 2 });
    expect([short.toSend().value, bodies.refusal()]).toEqual([{ x: 1, y: 2 }, undefined]);
    for (const { body } of kept) body.end();
  });

  test("are dropped where they have only been read, when what they were for has been sent, and when all is over", () => {
    for (let n = 0; n < 10; n += 1) {
      const { body } = begin();
      body.get();
      body.admitted();
      expect(body.toSend().value).toBe(list);
      (body.get() as number[])[0] = 1;
      body.sent();
      expect(body.toSend().value).toBe(list);
      body.get();
      body.end();
      expect(body.get()).toHaveLength(list.length);
    }
  });
});
