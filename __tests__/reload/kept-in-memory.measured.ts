import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { type GatewayConfig, inspector, loadConfig, parseConfig } from "../../src/index.ts";
import { openApiDocuments } from "../../src/openapi.ts";
import { refuseLostLocks } from "../../src/operating/refuse-lost-locks.ts";
import { collectGarbage } from "../helpers/collect-garbage.ts";
import { cleanUpLater, closeAll, gatewayFor, routeTo, upstreamFor } from "./scene.ts";

const reloads = 5;

afterEach(closeAll);

/** Routes with everything that is shared by those of a configuration; the route of the version differs from the one before. */
function configOf(port: number, version: number): object {
  const routes = Array.from({ length: reloads + 1 }, (_, index) => ({
    ...routeTo(port, `/${index}`),
    Key: `route-${index}`,
    Metadata: { version: String(Math.min(index, version)), all: index === 0 ? String(version) : "" },
    AuthenticationOptions: { AuthenticationProviderKeys: ["Keys"] },
    RateLimitOptions: { Limit: 1_000, Period: "1m" },
    CacheOptions: { TtlSeconds: 1 },
    QoSOptions: { ExceptionsAllowedBeforeBreaking: 3, DurationOfBreak: 1_000 },
    HealthCheck: { Path: "/health" },
    Retry: { Attempts: 2 },
    UpstreamHeaderTransform: { "X-A": "{RemoteIpAddress}" },
  }));
  const found = { ...routeTo(port, "/found"), Key: "found", ServiceName: "shop", DownstreamHostAndPorts: undefined };
  return {
    Routes: [...routes, found],
    DynamicRoutes: [{ ServiceName: "other", Metadata: { version: String(version) } }],
    Aggregates: [{ UpstreamPathTemplate: "/both", RouteKeys: ["route-0", "route-1"] }],
    GlobalConfiguration: {
      AuthenticationSchemes: { Keys: { Type: "ApiKey", Header: "X-Own", Keys: [{ Name: "acme", Sha256: sha256 }] } },
      ServiceDiscoveryProvider: { Type: "own", AllowAddresses: ["127.0.0.1"] },
    },
  };
}

// Of "key".
const sha256 = "2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683";
const headers = { "x-own": "key" };

async function startScene(): Promise<
  Readonly<{ origin: string; reload: (version: number) => Promise<readonly WeakRef<object>[]> }>
> {
  const upstream = await upstreamFor((_req, res) => void res.write("[1"));
  const own = (_service: unknown, update: (found: object[]) => void, signal: AbortSignal): Promise<void> => {
    update([{ host: "127.0.0.1", port: upstream.port }]);
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  };
  const running = await gatewayFor(configOf(upstream.port, 0), { discovery: { own: own as never } });
  inspector(running.gateway);
  openApiDocuments(running.gateway);
  return {
    origin: running.origin,
    async reload(version) {
      const config = parseConfig(configOf(upstream.port, version), { logger: false });
      await running.gateway.reload(config);
      return [new WeakRef(config), new WeakRef(config.routes)];
    },
  };
}

/** Asks for a path whose answer never ends; resolves when it has begun. */
async function askWithoutEnd(url: string): Promise<void> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).on("error", reject);
  });
  answer.on("error", () => undefined).resume();
  cleanUpLater(() => Promise.resolve(answer.destroy()));
  expect(answer.statusCode).toBe(200);
}

async function heldOf(configs: readonly WeakRef<object>[]): Promise<number> {
  await nextTurn();
  collectGarbage();
  return configs.filter((config) => config.deref() !== undefined).length;
}

test("routes that stay as they are keep nothing of the configuration that they come from", async () => {
  const { origin, reload } = await startScene();
  const replaced: (readonly WeakRef<object>[])[] = [];
  for (let version = 1; version <= reloads; version += 1) {
    replaced.push(await reload(version));
    await askWithoutEnd(`${origin}/${version}`);
  }
  expect(await heldOf(replaced.slice(0, -1).flat())).toBe(0);
});

test("requests that go on keep nothing of the configuration with which they began but their route", async () => {
  const { origin, reload } = await startScene();
  const replaced: (readonly WeakRef<object>[])[] = [];
  for (let version = 1; version <= reloads; version += 1) {
    replaced.push(await reload(version));
    for (const path of ["0", "both", "found", "other/1"]) await askWithoutEnd(`${origin}/${path}`);
  }
  expect(await heldOf(replaced.slice(0, -1).flat())).toBe(0);
});

test("of deployments with files and paths of their own, no more is kept than the latest that are waited for", async () => {
  const folder = await mkdtemp(join(tmpdir(), "waymark-"));
  cleanUpLater(() => rm(folder, { recursive: true }));
  const { replaced, present } = await deployTimes(40, folder);
  expect(await heldOf(replaced)).toBeLessThanOrEqual(22);
  expect(present.routes).toHaveLength(1);
});

/** Replaces the only file of a folder by another one, again and again, as a watcher sees it. */
async function deployTimes(
  count: number,
  folder: string,
): Promise<Readonly<{ replaced: readonly WeakRef<object>[]; present: GatewayConfig }>> {
  const replaced: WeakRef<object>[] = [];
  let present: GatewayConfig | undefined;
  for (let index = 0; index < count; index += 1) {
    const file = join(folder, `ocelot.${index}.json`);
    await writeFile(
      file,
      JSON.stringify({ Routes: [{ ...routeTo(1, `/${index}`), SecurityOptions: { IPAllowedList: ["10.0.0.1"] } }] }),
    );
    const config = await loadConfig(folder, { logger: false });
    await rm(file);
    if (present !== undefined) await refuseLostLocks(present, config);
    present = config;
    replaced.push(new WeakRef(config));
  }
  return { replaced, present: present! };
}
