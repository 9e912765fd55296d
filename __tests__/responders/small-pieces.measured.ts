import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { metadataResponder } from "../../src/index.ts";
import { timesUsual } from "../helpers/compare-costs.ts";
import { processorTimeUntil } from "../helpers/processor-time.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { type OneRoute, startOneRoute } from "./one-route.ts";

const count = 20_000;
const most = 4;
const mark = Buffer.from("\ufeff");

/** Bodies in as many pieces as they have characters, by the path at which they are found. */
const bodies: Readonly<
  Record<string, Readonly<{ type: string; first: readonly Buffer[]; piece: Buffer; last: string }>>
> = {
  "/ordinary": { type: "application/json", first: [Buffer.from('"')], piece: Buffer.from("a"), last: '"' },
  "/blanks": { type: "application/json", first: [], piece: Buffer.from(" "), last: "1" },
  "/nothing-else": { type: "application/json", first: [], piece: Buffer.from(" "), last: "" },
  "/mark": {
    type: "application/json",
    first: [...mark].map((byte) => Buffer.of(byte)),
    piece: Buffer.from("\n"),
    last: "1",
  },
  "/latin1": { type: "application/json; charset=latin1", first: [], piece: Buffer.from(" "), last: "1" },
  "/utf-16": { type: "application/json; charset=utf-16le", first: [], piece: Buffer.from(" \0"), last: "1\0" },
  "/escapes": { type: "application/json; charset=iso-2022-jp", first: [], piece: Buffer.from("\x1b(B"), last: "1" },
};

describe.each(engines)("$name: what a body begins with costs nothing but its length", ({ create }) => {
  let running: OneRoute;

  beforeAll(async () => {
    running = await startOneRoute(
      (req, res) => {
        const { type, first, piece, last } = bodies[req.url!]!;
        res.writeHead(200, { "Content-Type": type });
        for (const byte of first) res.write(byte);
        for (let index = 0; index < count; index += 1) res.write(piece);
        res.end(last);
      },
      { responder: metadataResponder(), engine: create() },
    );
  });
  afterAll(() => running.close());

  test.each(Object.keys(bodies).filter((path) => path !== "/ordinary"))("%s", async (path) => {
    expect(await timesUsual({ suspected: () => cost(path), usual, most, atFirst: 1 })).toBeLessThan(most);
  });

  const usual = () => cost("/ordinary");

  function cost(path: string): Promise<number> {
    return processorTimeUntil(async () => {
      const { body } = await request({ port: running.port, path });
      expect(body.length).toBeGreaterThanOrEqual(count);
    });
  }
});
