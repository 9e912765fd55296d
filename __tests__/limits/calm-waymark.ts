import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "@jest/globals";
import { startWaymark } from "../cli/run-waymark.ts";
import { machineSlowness } from "../helpers/machine-slowness.ts";
import { request } from "../helpers/send-raw.ts";

const questions = 25;
// Node's parser needs about 20 for what it reads at once of one body, and at their beginning it reads of all.
const mostMilliseconds = 700;
const mostMegabytes = 200;

/** A process of `waymark serve` that is to stay calm, whatever else it is busy with. */
export type CalmWaymark = Readonly<{
  port: number;
  /** Begins something, and fails where questions have to wait from then on, or memory fills up. */
  expectCalmAfter: (begin: () => unknown) => Promise<void>;
  end: () => Promise<void>;
}>;

/** Starts one with an engine and routes, that has answered questions at a path of a quick service before. */
export async function startCalmWaymark(
  engine: string,
  Routes: readonly object[],
  quickPath: string,
): Promise<CalmWaymark> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-calm-"));
  await writeFile(join(folder, "gateway.json"), JSON.stringify({ Routes }));
  const words = ["serve", "gateway.json", "--port", "0", "--engine", engine];
  const service = startWaymark(words, { cwd: folder });
  const listening = await service.line(({ msg }) => msg.startsWith("Listening on "));
  const [port, pid] = [Number(listening.port), listening.pid];
  await slowestAnswer();
  return { port, expectCalmAfter, end };

  async function expectCalmAfter(begin: () => unknown): Promise<void> {
    const before = await residentMegabytes();
    begin();
    await wait(300);
    const slowest = await slowestAnswer();
    const taken = (await residentMegabytes()) - before;
    expect(slowest).toBeLessThan(mostMilliseconds * machineSlowness());
    expect(taken).toBeLessThan(mostMegabytes);
  }

  async function slowestAnswer(): Promise<number> {
    let slowest = 0;
    for (let count = 0; count < questions; count += 1) {
      const begin = performance.now();
      expect((await request({ port, path: quickPath })).status).toBe(200);
      slowest = Math.max(slowest, performance.now() - begin);
    }
    return slowest;
  }

  async function residentMegabytes(): Promise<number> {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1_024;
  }

  async function end(): Promise<void> {
    service.signal("SIGKILL");
    await service.ended;
    await rm(folder, { recursive: true, force: true });
  }
}
