import { afterEach, describe, expect, test } from "@jest/globals";
import type { GatewayHandler } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type CachedRoute, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

/** Middleware that goes on when all of the body has come, and reads none of it. */
const awaitBody: GatewayHandler = (req, _res, next) => {
  if (req.complete) next();
  else setImmediate(() => awaitBody(req, _res, next));
};

describe.each(engines)("a POST whose body could tell answers apart, with $name", ({ create }) => {
  test.each([65_536, 65_537, 66_000, 70_000])("and has come as a whole before: %s bytes in chunks", async (length) => {
    const CacheOptions = { TtlSeconds: 60, EnableContentHashing: true };
    const options = { engine: create(), middleware: [awaitBody] };
    route = await startCachedRoute({}, { route: { CacheOptions }, options });
    const body = "0123456789".repeat(length / 10 + 1).slice(0, length);
    const got = await route.ask({ method: "POST", body, headers: { "transfer-encoding": "chunked" } });
    expect([got.status, got.body]).toEqual([200, "answer 1"]);
    expect(route.upstream.requests[0]!.body.toString() === body).toBe(true);
  });
});
