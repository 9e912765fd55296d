import { afterEach, describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe.each(engines)("a request that went well ($name)", ({ create }) => {
  test.each(["GET", "POST"])("settles no promise twice, which Node tells the process of: %s", async (method) => {
    const upstream = await startUpstream();
    const config = {
      Routes: [
        {
          UpstreamPathTemplate: "/{x}",
          DownstreamPathTemplate: "/{x}",
          DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
        },
      ],
    };
    const { origin, close } = await startGateway(config, { engine: create() });
    cleanups.push(upstream.close, close);
    const twice: unknown[] = [];
    const note = (...event: unknown[]): void => void twice.push(event);
    process.on("multipleResolves", note);
    try {
      const answer = await fetch(`${origin}/x`, { method, body: method === "GET" ? null : "body" });
      expect(await answer.text()).toBe(`${method} /x`);
      await close();
    } finally {
      process.off("multipleResolves", note);
    }
    expect(twice).toEqual([]);
  });
});
