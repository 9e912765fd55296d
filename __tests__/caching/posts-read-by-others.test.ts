import type { IncomingMessage } from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import type { GatewayHandler } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type CachedRoute, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

type Read = (req: IncomingMessage) => unknown;

/** Middleware that goes on, and reads of the body behind that. */
const readsBehind =
  (read: Read): GatewayHandler =>
  (req, _res, next) => {
    next();
    read(req);
  };

const rows: readonly [string, Read][] = [
  ["takes some of it", (req) => req.once("readable", () => void req.read(3))],
  ["takes what is there", (req) => req.once("readable", () => void req.read())],
  ["takes all of it", (req) => req.on("readable", () => void req.read())],
  ["listens to it", (req) => req.on("data", () => undefined)],
];

const short = "a short body";
const long = "0123456789".repeat(20_000);
const CacheOptions = { TtlSeconds: 60, EnableContentHashing: true };

describe.each(engines)("a POST whose body tells answers apart, and of which others read, with $name", ({ create }) => {
  describe.each([
    ["of a told length", (body: string) => ({ "content-length": String(body.length) })],
    ["in chunks", () => ({ "transfer-encoding": "chunked" })],
  ])("%s", (_framing, frame) => {
    async function send(read: Read, body: string) {
      const options = { engine: create(), middleware: [readsBehind(read)] };
      route = await startCachedRoute({}, { route: { CacheOptions }, options });
      const { status } = await route.ask({ method: "POST", body, headers: frame(body) });
      return [status, route.upstream.requests[0]?.body.toString()];
    }

    test.each(rows)("arrives as a whole where middleware goes on and %s", async (_how, read) => {
      expect(await send(read, short)).toEqual([200, short]);
    });

    test.each(rows)("arrives as a whole or not at all where it is long, and middleware %s", async (_how, read) => {
      const [status, arrived] = await send(read, long);
      expect(arrived === long).toBe(status === 200);
    });
  });

  test("is refused where middleware puts something into it, behind the length that its head tells", async () => {
    const addMore: Read = (req) => req.once("readable", () => req.unshift(Buffer.from("more")));
    route = await startCachedRoute(
      {},
      { route: { CacheOptions }, options: { engine: create(), middleware: [readsBehind(addMore)] } },
    );
    const { status } = await route.ask({ method: "POST", body: short, headers: { "content-length": short.length } });
    expect([status, route.upstream.requests]).toEqual([500, []]);
  });
});
