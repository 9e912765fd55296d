import http from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { type CachedRoute, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

describe.each(engines)("equal requests at the same time, with $name", ({ create }) => {
  test("a thousand of them make one call", async () => {
    route = await startCachedRoute({}, { options: { engine: create() } });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 100 });
    const { ask } = route;

    const got = await Promise.all(Array.from({ length: 1_000 }, () => ask({ agent })));

    agent.destroy();
    expect(new Set(got.map(({ body }) => body))).toEqual(new Set(["answer 1"]));
    expect(route.upstream.requests).toHaveLength(1);
  });
});
