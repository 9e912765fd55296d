import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type RunningWaymark, startWaymark } from "../cli/run-waymark.ts";
import { request } from "../helpers/send-raw.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { startFlood } from "./flood-of-chunks.ts";

const uploads = 8;
const questions = 25;
// Node's parser needs about 20 for what it reads at once of one upload, and at their beginning it reads of all.
const mostMilliseconds = 700;
const mostMegabytes = 200;

describe.each(["http-proxy-middleware", "undici"])("waymark serve with %s", (engine) => {
  let upstream: Upstream;
  let folder: string;
  let service: RunningWaymark;
  let port: number;
  let pid: number;

  beforeAll(async () => {
    upstream = await startUpstream((req, res) => {
      if (req.url !== "/stalls") req.on("end", () => res.end("whole")).resume();
    });
    folder = await mkdtemp(join(tmpdir(), "waymark-small-uploads-"));
    const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: upstream.port }];
    const Routes = [{ UpstreamPathTemplate: "/up/{x}", DownstreamPathTemplate: "/{x}", DownstreamHostAndPorts }];
    await writeFile(join(folder, "gateway.json"), JSON.stringify({ Routes }));
    const words = ["serve", "gateway.json", "--port", "0", "--engine", engine];
    service = startWaymark(words, { cwd: folder });
    const listening = await service.line(({ msg }) => msg.startsWith("Listening on "));
    [port, pid] = [Number(listening.port), listening.pid];
    for (let count = 0; count < questions; count += 1) await ask();
  });

  afterAll(async () => {
    service.signal("SIGKILL");
    await service.ended;
    await upstream.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each([
    ["are sent on", "/up/1"],
    ["the service does not read", "/up/stalls"],
    ["no route takes", "/nowhere"],
  ])("uploads in chunks of one byte that %s keep nobody waiting, and take little memory", async (_what, path) => {
    const before = await residentMegabytes();
    const endFlood = startFlood({ port, path, uploads });
    await wait(300);
    const times: number[] = [];
    for (let count = 0; count < questions; count += 1) times.push(await ask());
    const taken = (await residentMegabytes()) - before;
    await endFlood();
    expect(Math.max(...times)).toBeLessThan(mostMilliseconds);
    expect(taken).toBeLessThan(mostMegabytes);
  });

  async function ask(): Promise<number> {
    const begin = performance.now();
    expect((await request({ port, path: "/up/asked" })).status).toBe(200);
    return performance.now() - begin;
  }

  async function residentMegabytes(): Promise<number> {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024;
  }
});
