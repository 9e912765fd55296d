import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { engineNames } from "../everything-on/create-gateway.ts";
import { arbitraryClients, arbitraryUpstreams } from "./arbitrary-conversation.ts";
import { check, longest } from "./bounds.ts";
import { findExpensive } from "./find-expensive.ts";
import { type Scene, startScene } from "./scene.ts";

describe.each(engineNames)("everything on: %s", (engine) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene({ engine, responder: "json" });
  });
  afterAll(() => scene.close());

  test.each([
    { what: "values of any length in every place: strict answers, each to its own request", from: arbitraryClients },
    {
      what: "hostile upstreams: strict answers or broken connections, each to its own request",
      from: arbitraryUpstreams,
    },
  ])(
    "$what",
    async ({ from }) => {
      await check(
        fc.asyncProperty(from, async (conversations) => expect(await scene.hold(conversations)).toEqual([])),
        15,
      );
    },
    longest,
  );

  test(
    "no value costs twenty times what an ordinary request costs",
    async () => expect(await findExpensive(scene)).toEqual([]),
    longest,
  );

  test("nothing is left behind: no listener, no handle, no warning", async () => {
    await scene.gateway.ask("reload");
    const disturbances = await scene.settle();
    expect({ disturbances, left: await scene.leftBehind() }).toEqual({ disturbances: [], left: [] });
  });
});
