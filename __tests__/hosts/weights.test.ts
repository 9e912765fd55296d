import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { startHost, startHosts, type ToldHost } from "./start-hosts.ts";

const cleanups: (() => Promise<unknown>)[] = [];
let hosts: readonly ToldHost[] = [];

beforeAll(async () => {
  hosts = await Promise.all(["a", "b", "c"].map(startHost));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});
afterAll(() => Promise.all(hosts.map(({ close }) => close())));

function weighing(...weights: readonly (number | undefined)[]) {
  return hosts.slice(0, weights.length).map(({ port }, index) => {
    const Weight = weights[index];
    return Weight === undefined ? { port } : { port, Weight };
  });
}

async function askTimes(weights: readonly (number | undefined)[], times: number, route: object = {}): Promise<string> {
  const gateway = await startHosts(weighing(...weights), route);
  cleanups.push(gateway.close);
  let answers = "";
  for (let index = 0; index < times; index += 1) answers += await gateway.ask();
  return answers;
}

describe("a host takes as much as it weighs", () => {
  test.each([
    { why: "one takes thrice as much, and not all of it at once", weights: [3, 1], expected: "aabaaaba" },
    { why: "a weight that is not written is 1", weights: [undefined, 2], expected: "babbab" },
    { why: "three of them, twice round", weights: [5, 1, 1], expected: "aabacaaaabacaa" },
    { why: "equal ones in turn", weights: [7, 7, 7], expected: "abcabc" },
  ])("$why", async ({ weights, expected }) => {
    expect(await askTimes(weights, expected.length)).toBe(expected);
  });

  test("with LeastConnection the one with the fewest requests for its weight", async () => {
    expect(await askTimes([1, 2], 3, { LoadBalancerOptions: { Type: "LeastConnection" } })).toBe("bbb");
  });

  test.each([0, 101, 1.5, "much"])("a weight of %j stops the start", async (Weight) => {
    await expect(startHosts([{ port: hosts[0]!.port, Weight } as never])).rejects.toThrow("weight-invalid");
  });
});

test("one that is back after a break has its share, and no more", async () => {
  const [a, b] = hosts;
  a!.does = 500;
  const gateway = await startHosts([a!, b!], { QoSOptions: { MinimumThroughput: 1, BreakDuration: 1_000 } });
  cleanups.push(gateway.close);
  for (let index = 0; index < 20; index += 1) await gateway.ask();
  a!.does = 200;
  gateway.clock.now += 1_000;
  let answers = "";
  for (let index = 0; index < 8; index += 1) answers += await gateway.ask();
  expect(answers).toMatch(/^(?:ab){4}$|^(?:ba){4}$/);
});
