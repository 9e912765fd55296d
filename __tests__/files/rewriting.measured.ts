import { createHash } from "node:crypto";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import http from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createGateway, loadConfig, watchConfig } from "../../src/index.ts";
import { startWaymark } from "../cli/run-waymark.ts";
import { closeServer, listen, startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { type Folder, writeFolder } from "./write-folder.ts";

let upstream: Upstream;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  upstream = await startUpstream();
});

// No hook runs after each of the tests that run at the same time.
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  await upstream.close();
});

const Sha256 = createHash("sha256").update("secret").digest("hex");
const schemes = { Keys: { Type: "ApiKey", Keys: [{ Name: "n", Sha256 }] } };
const lock = { AuthenticationProviderKeys: ["Keys"] };

function route(path: string, more: object = {}): object {
  const hosts = [{ Host: "127.0.0.1", Port: upstream.port }];
  return { UpstreamPathTemplate: path, DownstreamPathTemplate: path, DownstreamHostAndPorts: hosts, ...more };
}

/** Two states: in one the route says who may come in, in the other what holds for all does. */
function states(): Record<string, object>[] {
  const open = { AuthenticationOptions: { AllowAnonymous: true } };
  const own = { AuthenticationOptions: lock };
  return [
    {
      "ocelot.global.json": { GlobalConfiguration: { AuthenticationSchemes: schemes } },
      "ocelot.locked.json": { Routes: [route("/locked", own)] },
      "ocelot.open.json": { Routes: [route("/open", open), route("/one", open)] },
    },
    {
      "ocelot.global.json": { GlobalConfiguration: { AuthenticationSchemes: schemes, AuthenticationOptions: lock } },
      "ocelot.locked.json": { Routes: [route("/locked")] },
      "ocelot.open.json": { Routes: [route("/open", open), route("/two", open)] },
    },
  ];
}

async function makeFolder(files: Readonly<Record<string, unknown>>): Promise<Folder> {
  const folder = await writeFolder(files);
  cleanups.push(folder.remove);
  return folder;
}

type Event = Readonly<{ at: number; what: "reloaded" | "failed"; error?: unknown }>;

/** A gateway that follows a folder, and what its watcher told. */
async function watch(path: string) {
  const events: Event[] = [];
  const gateway = createGateway(await loadConfig(path, { logger: false }), { logger: false });
  const server = http.createServer(gateway);
  const port = await listen(server);
  const watcher = watchConfig(path, gateway, {
    logger: false,
    reloaded: () => events.push({ at: performance.now(), what: "reloaded" }),
    failed: (error) => events.push({ at: performance.now(), what: "failed", error }),
  });
  cleanups.push(async () => {
    watcher.close();
    await gateway.close({ grace: 0 });
    await closeServer(server);
  });
  return { gateway, watcher, events, statusOf: (asked: string, method?: string) => statusAt(port, asked, method) };
}

async function statusAt(port: number, path: string, method = "GET"): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  await answer.arrayBuffer();
  return answer.status;
}

async function until(fits: () => boolean | Promise<boolean>): Promise<void> {
  for (let end = performance.now() + 20_000; !(await fits()); await wait(20)) {
    if (performance.now() > end) throw new Error("It did not come about within 20 s.");
  }
}

test.concurrent(
  "a folder that is rewritten file by file is never open where it was locked, and loses no request",
  async () => {
    const both = states();
    const folder = await makeFolder(both[0]!);
    const { events, statusOf } = await watch(folder.path);
    const load = { isOver: false };
    const [locked, open]: number[][] = [[], []];
    const asking = (async () => {
      while (!load.isOver) {
        locked!.push(await statusOf("/locked"));
        open!.push(await statusOf("/open"));
        // Asked without a pause, the process would have little time for anything else.
        await wait(1);
      }
    })();
    const delays: number[] = [];
    for (let round = 1; round <= 12; round += 1) {
      const next = Object.entries(both[round % 2]!);
      const turned = [...next.slice(round % 3), ...next.slice(0, round % 3)];
      for (const [name, content] of round % 4 < 2 ? turned : turned.toReversed()) {
        const text = JSON.stringify(content);
        if (round % 4 === 0) await rm(join(folder.path, name));
        await writeFile(join(folder.path, name), text.slice(0, text.length / 2));
        await wait(60 + round * 10);
        await writeFile(join(folder.path, name), text);
        await wait(round * 15);
      }
      const written = performance.now();
      await until(() => events.some(({ at, what }) => what === "reloaded" && at > written - round * 15 + 400));
      delays.push(events.at(-1)!.at - written + round * 15);
      expect([await statusOf("/one"), await statusOf("/two")]).toEqual(round % 2 === 0 ? [200, 404] : [404, 200]);
    }
    load.isOver = true;
    await asking;

    expect(new Set(locked)).toEqual(new Set([401]));
    expect(new Set(open)).toEqual(new Set([200]));
    expect(Math.min(...delays)).toBeGreaterThan(450);
    expect(locked!.length).toBeGreaterThan(500);
  },
  120_000,
);

test.concurrent(
  "a file that takes a lock with it is waited for, and then missed until somebody asks by hand",
  async () => {
    const folder = await makeFolder(states()[1]!);
    const { events, statusOf, watcher } = await watch(folder.path);
    const begin = performance.now();
    await rename(join(folder.path, "ocelot.global.json"), join(folder.path, "gone"));
    await folder.write({
      "ocelot.locked.json": { Routes: [route("/locked")] },
      "ocelot.open.json": { Routes: [route("/open")] },
    });
    await until(() => events.length > 0);

    expect(events[0]!.at - begin).toBeGreaterThan(4_500);
    expect(events.map(({ what, error }) => [what, (error as { code: string }).code])).toEqual([
      ["failed", "reload-unlocks"],
    ]);
    expect(await statusOf("/locked")).toBe(401);

    await watcher.check();
    expect(events.at(-1)!.what).toBe("reloaded");
    expect(await statusOf("/locked")).toBe(200);
  },
  60_000,
);

test.concurrent(
  "a file is missed for as long as it is not there, whatever is changed meanwhile, by whatever method",
  async () => {
    const folder = await makeFolder({
      ...states()[0],
      "ocelot.locked.json": { Routes: [route("/locked", { AuthenticationOptions: lock })] },
    });
    const { events, statusOf, watcher } = await watch(folder.path);
    await rm(join(folder.path, "ocelot.locked.json"));
    await until(() => events.length > 0);
    expect([events[0]!.what, await statusOf("/locked", "DELETE")]).toEqual(["reloaded", 404]);

    const open = { AuthenticationOptions: { AllowAnonymous: true } };
    const catchAll = route("/{everything}", { ...open, UpstreamHttpMethod: ["Delete"] });
    await folder.write({ "ocelot.open.json": { Routes: [route("/open", open), catchAll] } });
    await until(() => events.length > 1);
    expect(events.slice(1).map(({ what, error }) => [what, (error as { code: string }).code])).toEqual([
      ["failed", "reload-unlocks"],
    ]);
    expect(await statusOf("/locked", "DELETE")).toBe(404);

    await watcher.check();
    expect(await statusOf("/locked", "DELETE")).toBe(200);
  },
  60_000,
);

test.concurrent(
  "a file is missed that takes a service's lock with it, where clients may reach any service",
  async () => {
    const provider = { Type: "Dns", Host: "127.0.0.1", Port: upstream.port, AllowAnyService: true };
    const folder = await makeFolder({
      "ocelot.global.json": {
        GlobalConfiguration: { AuthenticationSchemes: schemes, ServiceDiscoveryProvider: provider },
      },
      "ocelot.a.json": { DynamicRoutes: [{ ServiceName: "orders", AuthenticationOptions: lock }] },
      "ocelot.b.json": { DynamicRoutes: [{ ServiceName: "stock" }] },
    });
    const { events, statusOf } = await watch(folder.path);
    await rm(join(folder.path, "ocelot.a.json"));
    await until(() => events.length > 0);
    expect(events.map(({ what, error }) => [what, (error as { code: string }).code])).toEqual([
      ["failed", "reload-unlocks"],
    ]);
    expect(await statusOf("/orders/1")).toBe(401);
  },
  60_000,
);

test.concurrent(
  "a new part counts, a half-written one does not, and a ConfigMap is swapped",
  async () => {
    const [first] = states();
    const folder = await makeFolder({
      "..one/ocelot.a.json": first!["ocelot.open.json"],
      "..one/ocelot.global.json": first!["ocelot.global.json"],
    });
    const at = (...names: string[]): string => join(folder.path, ...names);
    await symlink("..one", at("..data"));
    for (const name of ["ocelot.a.json", "ocelot.global.json"]) await symlink(join("..data", name), at(name));
    const { events, statusOf } = await watch(folder.path);
    expect(await statusOf("/one")).toBe(200);

    await writeFile(at("ocelot.b.json"), '{ "Routes": [');
    await until(() => events.some(({ what }) => what === "failed"));
    expect(await statusOf("/one")).toBe(200);
    await folder.write({ "ocelot.b.json": { Routes: [route("/b")] } });
    await until(async () => (await statusOf("/b")) === 200);

    await mkdir(at("..two"));
    await folder.write({ "..two/ocelot.a.json": { Routes: [route("/swapped")] }, "..two/ocelot.global.json": {} });
    await symlink("..two", at("..next"));
    await rename(at("..next"), at("..data"));
    await until(async () => (await statusOf("/swapped")) === 200);
    expect(await statusOf("/one")).toBe(404);
  },
  60_000,
);

test("a folder of a thousand parts is read, and so is it again", async () => {
  const parts = Array.from(
    { length: 1_000 },
    (_, index) => [`ocelot.part${index}.json`, { Routes: [route(`/p${index}/{x}`)] }] as const,
  );
  const folder = await makeFolder(Object.fromEntries(parts));
  const begin = performance.now();
  const { gateway, statusOf } = await watch(folder.path);
  expect(gateway.routes.size).toBe(1_000);
  expect(performance.now() - begin).toBeLessThan(10_000);

  await folder.write({ "ocelot.part7.json": { Routes: [route("/seven")] } });
  await until(async () => (await statusOf("/seven")) === 200);
}, 60_000);

test("workers take a folder that is rewritten", async () => {
  const both = states();
  const folder = await makeFolder(both[0]!);
  const service = startWaymark(["serve", folder.path, "--port", "0", "--workers", "2", "--watch"], {
    cwd: folder.path,
  });
  const { port } = (await service.line(({ msg }) => msg.startsWith("Listening"))) as unknown as { port: number };
  expect([await statusAt(port, "/one"), await statusAt(port, "/locked")]).toEqual([200, 401]);

  await folder.write(both[1]!);
  await until(async () => (await statusAt(port, "/two")) === 200 && (await statusAt(port, "/one")) === 404);
  expect(await statusAt(port, "/locked")).toBe(401);
  service.signal("SIGTERM");
  expect((await service.ended).code).toBe(0);
}, 60_000);
