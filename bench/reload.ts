/**
 * Whether a gateway can be reloaded under load: `npm run bench -- reload`. 200 reloads while 100 connections ask: not one
 * request may fail, and the heap may not grow. Then how long the event loop stands still while a file of 10,000 changed
 * routes is read and put into force, by `watchConfig` and by `waymark serve` in one process and in workers, on a signal and
 * by watching, a file with faults as well. Ends with exit code 1 when any of it is worse than it may be.
 */
import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance, PerformanceObserver } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { createGateway, type Gateway, type GatewayConfig, loadConfig, parseConfig, watchConfig } from "../src/index.ts";
import { measureServed } from "./reload/served.ts";
import { startLoad, startTarget } from "./processes.ts";
import { median } from "./statistics.ts";

const reloads = 200;
const warmUp = 50;
const connections = 100;
const fewRoutes = 100;
const manyRoutes = 10_000;
const pauses = 10;
const restMilliseconds = 25;
const most = { megabytes: 2, pause: 20, served: 60 };

const isSteady = await reloadUnderLoad();
const isSmooth = await measurePauses();
const isServed = await measureServed((version) => write(manyRoutes, version), most.served);
process.exitCode = isSteady && isSmooth && isServed ? 0 : 1;

/** Every version changes all routes but one, adds a route and removes one, and now and then changes the connections. */
function configOf(routes: number, port: number, version: number): object {
  const service = (index: number): object => ({
    UpstreamPathTemplate: `/service-${index}/{id}`,
    DownstreamPathTemplate: "/bytes/{id}",
    UpstreamHttpMethod: ["Get", "Post"],
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
    Metadata: { roles: "reader, writer", version: index === 0 ? 0 : version },
  });
  return {
    Routes: [...Array.from({ length: routes - 1 }, (_, index) => service(index)), service(routes + version)],
    GlobalConfiguration: { Limits: { Connect: 5 + (Math.floor(version / 10) % 3) } },
  };
}

function write(routes: number, version: number): string {
  return JSON.stringify(configOf(routes, 9_000, version), null, 2);
}

function parse(routes: number, port: number, version: number): GatewayConfig {
  return parseConfig(configOf(routes, port, version), { logger: false });
}

async function serve(gateway: Gateway): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = createServer(gateway);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.address() as AddressInfo).port, stop };

  async function stop(): Promise<void> {
    server.closeAllConnections();
    server.close();
    await gateway.close({ grace: 0 });
  }
}

async function reloadUnderLoad(): Promise<boolean> {
  const target = await startTarget();
  const load = await startLoad();
  const gateway = createGateway(parse(fewRoutes, target.port, 0), { logger: false });
  const { port, stop } = await serve(gateway);
  let isOver = false;
  const asking = askUntil(() => isOver);
  for (let version = 1; version <= warmUp; version += 1) await reload(version);
  const before = heapInUse();
  for (let version = 1; version <= reloads; version += 1) await reload(warmUp + version);
  const after = heapInUse();
  isOver = true;
  const { requests, failures } = await asking;
  await stop();
  load.stop();
  target.stop();
  console.log(
    `${reloads} reloads of ${fewRoutes} routes at ${connections} connections: ` +
      `${requests} requests, ${failures.length} failed, the heap grew by ${(after - before).toFixed(2)} MB`,
  );
  for (const failure of failures) console.log(`  ${failure}`);
  const isFine = failures.length === 0 && after - before <= most.megabytes;
  console.log(`${isFine ? "ok" : "TOO MUCH"}: no failure, and at most ${most.megabytes} MB.`);
  return isFine;

  async function reload(version: number): Promise<void> {
    await gateway.reload(parse(fewRoutes, target.port, version));
    // So that every configuration serves some requests.
    await wait(restMilliseconds);
  }

  async function askUntil(holds: () => boolean): Promise<{ requests: number; failures: string[] }> {
    const failures: string[] = [];
    let requests = 0;
    for (let round = 0; !holds(); round += 1) {
      const path = `/service-${round % 2}/100`;
      const run = { port, method: "GET", path, bodyBytes: 0, connections, milliseconds: 500, status: 200 };
      await load.run(run).then(
        (result) => void (requests += result.requests),
        (error: unknown) => failures.push(String(error)),
      );
    }
    return { requests, failures };
  }
}

function heapInUse(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1_048_576;
}

type Pause = Readonly<{ wall: number; work: number }>;

async function measurePauses(): Promise<boolean> {
  const file = join(tmpdir(), `waymark-reload-${process.pid}.json`);
  await writeFile(file, write(manyRoutes, 0));
  const gateway = createGateway(await loadConfig(file, { logger: false }), { logger: false });
  const watcher = watchConfig(file, gateway, { logger: false, interval: 3_600 });
  const longest: (Pause & { collection: number; took: number })[] = [];
  for (let version = 1; version <= pauses; version += 1) {
    await writeFile(file, write(manyRoutes, version));
    longest.push(await longestPause(() => watcher.check()));
  }
  watcher.close();
  await gateway.close();
  await rm(file);
  console.log(`\nReading and putting into force a file of ${manyRoutes} changed routes, ${pauses} times:`);
  for (const { took, wall, work, collection } of longest) {
    const parts = `${work.toFixed(1)} ms of work, ${wall.toFixed(1)} ms by the clock`;
    console.log(
      `  ${took.toFixed(0)} ms; longest pause ${parts}; longest garbage collection ${collection.toFixed(1)} ms`,
    );
  }
  const isFine = median(longest.map(({ work }) => work)) <= most.pause;
  console.log(`${isFine ? "ok" : "TOO LONG"}: the median of the longest pauses is at most ${most.pause} ms of work.`);
  return isFine;
}

/** By the clock, and by what the thread itself has worked: on a busy machine it is put aside as well. */
async function longestPause(work: () => Promise<void>): Promise<Pause & { collection: number; took: number }> {
  let collection = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collection = Math.max(collection, duration);
  });
  observer.observe({ entryTypes: ["gc"] });
  globalThis.gc?.();
  await wait(restMilliseconds);
  collection = 0;
  let longest: Pause = { wall: 0, work: 0 };
  let last: Pause | undefined;
  let isOver = false;
  tick();
  const start = performance.now();
  await work();
  const took = performance.now() - start;
  isOver = true;
  await wait(restMilliseconds);
  observer.disconnect();
  return { ...longest, collection, took };

  function tick(): void {
    const { user, system } = process.threadCpuUsage();
    const now = { wall: performance.now(), work: (user + system) / 1_000 };
    if (last !== undefined) {
      longest = {
        wall: Math.max(longest.wall, now.wall - last.wall),
        work: Math.max(longest.work, now.work - last.work),
      };
    }
    last = now;
    if (!isOver) setImmediate(tick);
  }
}
