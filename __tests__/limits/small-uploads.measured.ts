import { afterAll, beforeAll, describe, test } from "@jest/globals";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { type CalmWaymark, startCalmWaymark } from "./calm-waymark.ts";
import { startFlood } from "./flood-of-chunks.ts";

const uploads = 8;

describe.each(["http-proxy-middleware", "undici"])("waymark serve with %s", (engine) => {
  let upstream: Upstream;
  let waymark: CalmWaymark;

  beforeAll(async () => {
    upstream = await startUpstream((req, res) => {
      if (req.url !== "/stalls") req.on("end", () => res.end("whole")).resume();
    });
    const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: upstream.port }];
    const Routes = [{ UpstreamPathTemplate: "/up/{x}", DownstreamPathTemplate: "/{x}", DownstreamHostAndPorts }];
    waymark = await startCalmWaymark(engine, Routes, "/up/asked");
  });

  afterAll(async () => {
    await waymark.end();
    await upstream.close();
  });

  test.each([
    ["are sent on", "/up/1"],
    ["the service does not read", "/up/stalls"],
    ["no route takes", "/nowhere"],
  ])("uploads in chunks of one byte that %s keep nobody waiting, and take little memory", async (_what, path) => {
    let endFlood = (): Promise<unknown> => Promise.resolve();
    try {
      await waymark.expectCalmAfter(() => (endFlood = startFlood({ port: waymark.port, path, uploads })));
    } finally {
      await endFlood();
    }
  });
});
