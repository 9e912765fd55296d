import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { configFor, followTraffic, readToken, type Scene, secrets, startScene } from "./scene.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await startScene();
});
afterEach(() => scene.close());

const ask = (path: string, method = "GET") => request({ port: scene.port, method, path: `/gw${path}` });

describe("live traffic", () => {
  test("tells of each request when it is over, and counts failures", async () => {
    const following = followTraffic(scene, (told) => told.at(-1)?.counts.requests === 3);
    await ask("/orders/7");
    await ask("/down");
    await ask("/orders/..%2F");
    const told = await following;
    const entries = told.flatMap(({ entries: some }) => some);
    expect(entries.map(({ number, path, route, status, error }) => [number, path, route, status, error])).toEqual([
      [1, "/orders/7", "orders", 200, undefined],
      [2, "/down", "down", 502, "upstream-refused"],
      [3, "/orders/..%2F", "orders", 400, "path-dot-segment"],
    ]);
    expect(entries[0]!.target).toBe(`${scene.upstream.origin}/api/orders/7?api=***`);
    const { counts, state } = told.at(-1)!;
    expect(counts).toMatchObject({
      statuses: { "2xx": 1, "4xx": 1, "5xx": 1 },
      errors: [
        { error: "upstream-refused", route: "down", count: 1, lastPath: "/down" },
        { error: "path-dot-segment", route: "orders", count: 1 },
      ],
    });
    expect(state).toMatchObject({ status: "ready", routes: 4 });
  });

  test("keeps the latest 200 requests, and says how many it left out", async () => {
    await Promise.all(Array.from({ length: 205 }, () => ask("/orders/1")));
    const [first] = await followTraffic(scene, (told) => told.length > 0);
    expect([first!.entries.length, first!.entries[0]!.number, first!.skipped]).toEqual([200, 6, 5]);
    expect(first!.counts.requests).toBe(205);
  });

  test("follows at most 16 pages", async () => {
    const pages: Promise<unknown[]>[] = [];
    for (let page = 0; page < 16; page += 1) {
      await new Promise<void>((begun) => {
        pages.push(
          followTraffic(scene, () => {
            begun();
            return false;
          }),
        );
      });
    }
    expect(
      (await request({ port: scene.port, path: "/_gateway/traffic", headers: { Cookie: scene.cookie } })).status,
    ).toBe(503);
    await scene.gateway.close();
    expect((await Promise.all(pages)).every((told) => told.length > 0)).toBe(true);
  });
});

test("who was let in is told as scheme and pseudonym, and who may come in for each route", async () => {
  const following = followTraffic(scene, (told) => told.at(-1)?.counts.requests === 2);
  const headers = { "X-Api-Key": "bearer-secret" };
  await request({ port: scene.port, path: "/gw/partners", headers });
  await ask("/orders/7");
  const [locked, open] = (await following).flatMap(({ entries }) => entries);
  expect(locked!.identity).toEqual({ scheme: "Partners", id: expect.stringMatching(/^[\w-]{16}$/) });
  expect(open!.identity).toBeUndefined();
  const { body } = await request({ port: scene.port, path: "/_gateway/routes", headers: { Cookie: scene.cookie } });
  const routes = JSON.parse(body.toString()) as { id: string; access: { summary: string } }[];
  expect(Object.fromEntries(routes.map(({ id, access }) => [id, access.summary]))).toEqual({
    orders: "anybody",
    reset: "anybody",
    down: "anybody",
    partners: "Partners, scope orders.read",
  });
});

describe("secrets", () => {
  test("are in nothing that the inspector tells", async () => {
    const following = followTraffic(scene, (told) => told.at(-1)?.counts.requests === 3);
    await request({ port: scene.port, path: "/gw/partners", headers: { "X-Api-Key": "bearer-secret" } });
    await ask("/orders/7?token=asked-secret&api=literal-secret");
    await ask("/reset/asked-secret");
    const told = await following;
    const routes = await request({ port: scene.port, path: "/_gateway/routes", headers: { Cookie: scene.cookie } });
    const explanations = await Promise.all(
      ["/orders/7?token=asked-secret", "/reset/asked-secret"].map((path) => explain(path)),
    );
    const everything = JSON.stringify([told, routes.body.toString(), explanations]);
    expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
    expect(JSON.parse(routes.body.toString())).toMatchObject([
      {
        id: "orders",
        downstream: `http://127.0.0.1:${scene.upstream.port}/api/orders/{id}?api=***`,
        metadata: [
          { key: "api.key", value: "***", from: "global" },
          { key: "region", value: "north", from: "global" },
          { key: "team", value: "orders <b>bold</b>", from: "route", replaces: "nobody" },
          { key: "db.password", value: "***", from: "route" },
        ],
      },
      { id: "reset" },
      { id: "down" },
      {
        id: "partners",
        headers: { request: { "x-team": "set to blue", "x-api-token": "***" }, answer: { server: "removed" } },
      },
    ]);
    expect(explanations[1]).toMatchObject({
      request: { path: "/reset/***" },
      placeholders: [{ name: "token", value: "***", decoded: "***" }],
      forwarded: {
        url: `${scene.upstream.origin}/reset/***`,
        headers: { authorization: "***", cookie: "***" },
      },
    });
    // The gateway keeps it from services.
    expect(explanations[1]).not.toHaveProperty(["forwarded", "headers", "x-api-key"]);
  });

  test("a reload is explained by the new routes", async () => {
    const before = (await explain("/new")) as { outcome: string };
    const config = configFor(scene.upstream.port) as { Routes: object[] };
    config.Routes.push({ ...config.Routes[2], Key: "new", UpstreamPathTemplate: "/new" });
    await scene.gateway.reload(parseConfig(config, { logger: false }));
    expect([before.outcome, ((await explain("/new")) as { outcome: string }).outcome]).toEqual([
      "no-route",
      "forwarded",
    ]);
  });
});

async function explain(path: string): Promise<unknown> {
  const headers = {
    "Content-Type": "application/json",
    "Sec-Fetch-Site": "same-origin",
    "X-Waymark-Token": await readToken(scene),
    Cookie: scene.cookie,
  };
  const sent = [
    ["Authorization", "Bearer bearer-secret"],
    ["Cookie", "session=bearer-secret"],
    ["X-Api-Key", "bearer-secret"],
  ];
  const body = JSON.stringify({ method: "GET", path, headers: sent });
  const answer = await request({ port: scene.port, method: "POST", path: "/_gateway/explain", headers, body });
  return JSON.parse(answer.body.toString());
}
