import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type RunningWaymark, startWaymark } from "../cli/run-waymark.ts";
import { request } from "../helpers/send-raw.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { type FloodOfAnswers, startFloodOfAnswers } from "./flood-of-answers.ts";

const clients = 20;
const questions = 25;
// Node's parser needs about 20 for what it reads at once of one answer, and at their beginning it reads of all.
const mostMilliseconds = 700;
const mostMegabytes = 200;

describe.each(["http-proxy-middleware"])("waymark serve with %s", (engine) => {
  let upstream: Upstream;
  let flood: FloodOfAnswers;
  let folder: string;
  let service: RunningWaymark;
  let port: number;
  let pid: number;

  beforeEach(async () => {
    upstream = await startUpstream((_req, res) => res.end("whole"));
    flood = await startFloodOfAnswers();
    folder = await mkdtemp(join(tmpdir(), "waymark-small-answers-"));
    const Routes = [
      routeTo("asked", upstream.port),
      routeTo("flood", flood.servicePort),
      { ...routeTo("cached", flood.servicePort), CacheOptions: { TtlSeconds: 60 } },
    ];
    await writeFile(join(folder, "gateway.json"), JSON.stringify({ Routes }));
    const words = ["serve", "gateway.json", "--port", "0", "--engine", engine];
    service = startWaymark(words, { cwd: folder });
    const listening = await service.line(({ msg }) => msg.startsWith("Listening on "));
    [port, pid] = [Number(listening.port), listening.pid];
    for (let count = 0; count < questions; count += 1) await ask();
  });

  afterEach(async () => {
    service.signal("SIGKILL");
    await service.ended;
    await flood.end();
    await upstream.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each([
    { which: "are sent on", path: "/flood", reads: true },
    { which: "the cache collects", path: "/cached", reads: true },
    { which: "their clients do not read", path: "/flood", reads: false },
  ])("answers in chunks of one byte that $which keep nobody waiting, and take little memory", async (row) => {
    const before = await residentMegabytes();
    flood.ask({ port, path: row.path, clients, reads: row.reads });
    await wait(300);
    const times: number[] = [];
    for (let count = 0; count < questions; count += 1) times.push(await ask());
    const taken = (await residentMegabytes()) - before;
    expect(Math.max(...times)).toBeLessThan(mostMilliseconds);
    expect(taken).toBeLessThan(mostMegabytes);
  });

  async function ask(): Promise<number> {
    const begin = performance.now();
    expect((await request({ port, path: "/asked" })).status).toBe(200);
    return performance.now() - begin;
  }

  async function residentMegabytes(): Promise<number> {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024;
  }
});

function routeTo(name: string, port: number): Readonly<Record<string, unknown>> {
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: port }];
  return { UpstreamPathTemplate: `/${name}`, DownstreamPathTemplate: "/", DownstreamHostAndPorts };
}
