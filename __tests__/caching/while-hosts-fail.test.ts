import { afterEach, describe, expect, test } from "@jest/globals";
import type { DelegatingHandler } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { until } from "../reload/scene.ts";
import { type CachedRoute, type Got, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

const passOn: DelegatingHandler = (_outgoing, next) => next();

describe.each(engines)("a service that is left alone after two failures, with $name,", ({ create }) => {
  /** A service whose first answer is a good one, which is not fresh when it comes, and all others failures. */
  async function start(directive: string, handlers: DelegatingHandler[]): Promise<CachedRoute> {
    route = await startCachedRoute(
      {
        answer(_req, res, call) {
          res.setHeader("Cache-Control", `max-age=10, ${directive}=60`).setHeader("Age", "11");
          res.writeHead(call === 1 ? 200 : 500).end(`answer ${call}`);
        },
      },
      {
        route: {
          CacheOptions: { Mode: "Rfc" },
          QoSOptions: { ExceptionsAllowedBeforeBreaking: 2, DurationOfBreak: 60_000 },
        },
        options: { engine: create(), handlers },
      },
    );
    return route;
  }

  test("does not end what is given in place of failures", async () => {
    const { ask, upstream } = await start("stale-if-error", []);
    const got: Got[] = [];
    for (let count = 0; count < 5; count += 1) got.push(await ask());
    expect(got.map(({ status, body }) => `${status} ${body}`)).toEqual(Array(5).fill("200 answer 1"));
    expect(upstream.requests).toHaveLength(3);
  });

  test.each([
    { handled: "without handlers", handlers: [] },
    { handled: "behind a handler", handlers: [passOn] },
  ])("is not asked behind stale answers either, $handled", async ({ handlers }) => {
    const { ask, upstream, gateway } = await start("stale-while-revalidate", handlers);
    await ask();
    for (let calls = 1; calls < 3; calls += 1) {
      expect((await ask()).body).toBe("answer 1");
      await until(() => upstream.requests.length > calls);
      // One call behind stale answers at a time: the next begins when this one is over.
      await until(() => gateway.gateway.health().running === 0);
    }
    await until(() => gateway.gateway.health().degraded.length > 0);
    await ask();
    await ask();
    expect(upstream.requests).toHaveLength(3);
  });
});
