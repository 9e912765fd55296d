import { afterEach, describe, expect, test } from "@jest/globals";
import { type Asked, type CachedRoute, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

test("who asks behind a purge gets no answer that was asked for before it", async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<undefined>();
  route = await startCachedRoute({ answer: (_req, res, call) => void opened.then(() => res.end(`answer ${call}`)) });
  const { ask, gateway, upstream } = route;
  const until = async (calls: number): Promise<void> => {
    while (upstream.requests.length < calls) await new Promise((resolve) => setImmediate(resolve));
  };
  const before = ask();
  await until(1);
  await gateway.gateway.cache.purge();
  const behind = ask();
  await until(2);
  open(undefined);
  expect([(await before).body, (await behind).body, (await ask()).body]).toEqual(["answer 1", "answer 2", "answer 2"]);
});

describe("with Mode Rfc and EnableContentHashing", () => {
  const kept = { headers: { "Cache-Control": "max-age=60" } };
  const CacheOptions = { Mode: "Rfc", EnableContentHashing: true };
  const post: Asked = { method: "POST", body: "question" };

  async function whatCame(...asked: readonly Asked[]): Promise<readonly string[]> {
    route = await startCachedRoute(kept, { route: { CacheOptions } });
    const bodies: string[] = [];
    for (const one of asked) bodies.push((await route.ask(one)).body);
    return bodies;
  }

  test("a POST that the service has answered ends what is kept of its address", async () => {
    expect(await whatCame({}, {}, post, {}, {})).toEqual(["answer 1", "answer 1", "answer 2", "answer 3", "answer 3"]);
  });

  test("a POST that the cache answers ends nothing, nor does one what another POST got", async () => {
    const other = { method: "POST", body: "another question" };
    expect(await whatCame(post, {}, post, {}, other, post)).toEqual([
      ...["answer 1", "answer 2", "answer 1", "answer 2", "answer 3", "answer 1"],
    ]);
  });

  test("a PUT ends what is kept of both", async () => {
    expect(await whatCame(post, {}, { method: "PUT" }, post, {})).toEqual([
      ...["answer 1", "answer 2", "answer 3", "answer 4", "answer 5"],
    ]);
  });

  test.each(["/X", "/x/", "/%78"])("a PUT to %s ends what is kept of /x", async (path) => {
    expect(await whatCame({}, { method: "PUT", path }, {})).toEqual(["answer 1", "answer 2", "answer 3"]);
  });
});
