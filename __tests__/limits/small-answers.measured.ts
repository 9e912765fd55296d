import { afterEach, beforeEach, describe, test } from "@jest/globals";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { type CalmWaymark, startCalmWaymark } from "./calm-waymark.ts";
import { type FloodOfAnswers, startFloodOfAnswers } from "./flood-of-answers.ts";

const clients = 20;

describe.each(["http-proxy-middleware", "undici"])("waymark serve with %s", (engine) => {
  let upstream: Upstream;
  let flood: FloodOfAnswers;
  let waymark: CalmWaymark;

  beforeEach(async () => {
    upstream = await startUpstream((_req, res) => res.end("whole"));
    flood = await startFloodOfAnswers();
    const Routes = [
      routeTo("asked", upstream.port),
      routeTo("flood", flood.servicePort),
      { ...routeTo("cached", flood.servicePort), CacheOptions: { TtlSeconds: 60 } },
    ];
    waymark = await startCalmWaymark(engine, Routes, "/asked");
  });

  afterEach(async () => {
    await waymark.end();
    await flood.end();
    await upstream.close();
  });

  test.each([
    { which: "are sent on", path: "/flood", reads: true },
    { which: "the cache collects", path: "/cached", reads: true },
    { which: "their clients do not read", path: "/flood", reads: false },
  ])("answers in chunks of one byte that $which keep nobody waiting, and take little memory", async (row) => {
    const { path, reads } = row;
    await waymark.expectCalmAfter(() => flood.ask({ port: waymark.port, path, clients, reads }));
  });
});

function routeTo(name: string, port: number): Readonly<Record<string, unknown>> {
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: port }];
  return { UpstreamPathTemplate: `/${name}`, DownstreamPathTemplate: "/", DownstreamHostAndPorts };
}
