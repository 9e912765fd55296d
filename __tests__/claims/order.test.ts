import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type GatewayConfig, parseConfig } from "../../src/index.ts";
import { configOf, type Scene, startScene } from "./scene.ts";

let scene: Scene;

beforeAll(async () => void (scene = await startScene([{}])));
afterAll(() => scene.close());

/** As text: an object of JavaScript puts names that look like numbers first. */
function describeRoute(claims: string, queries: string): GatewayConfig {
  const route = {
    AddClaimsToRequest: "@claims",
    AddQueriesToRequest: "@queries",
    AddHeadersToRequest: { "X-Copy": "Claims[copy] > value", "X-One": "Claims[1] > value" },
  };
  const text = JSON.stringify(configOf([route], scene.upstreamPort));
  return parseConfig(text.replace('"@claims"', claims).replace('"@queries"', queries), { logger: false });
}

const copyFirst = '{ "copy": "Claims[1] > value", "1": "Claims[sub] > value" }';
const numberFirst = '{ "1": "Claims[sub] > value", "copy": "Claims[1] > value" }';
const queries = '{ "b": "Claims[sub] > value", "1": "Claims[sub] > value" }';

test("claims and parameters are added in the order of the file, also after a reload that changes nothing else", async () => {
  const seen: unknown[] = [];
  for (const claims of [copyFirst, numberFirst, copyFirst]) {
    await scene.gateway.reload(describeRoute(claims, queries));
    const { arrived } = await scene.ask({}, { sub: "alice", 1: "from the token" });
    seen.push([arrived?.headers["x-copy"], arrived?.headers["x-one"], arrived?.target]);
  }
  const target = "/x/z?b=alice&1=alice";
  const [before, after] = ["from the token", "alice"];
  expect(seen).toEqual([
    [before, "alice", target],
    [after, "alice", target],
    [before, "alice", target],
  ]);
});
