import { request } from "../helpers/send-raw.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { readToken, type Scene, startSceneOf } from "./scene.ts";

/** What would be seen if a page took it for markup. */
export const markup = '<img src=x onerror="alert(1)">';

/** A gateway that asks for all that the inspector has tables for, and a second host that can be closed. */
export type StateScene = Scene &
  Readonly<{ second: Upstream; ask: (path: string) => Promise<number>; state: () => Promise<State> }>;

/** How the gateway is doing, as the page is told. */
export type State = Readonly<
  Record<"hosts", Readonly<{ all: number; rows: readonly Readonly<Record<string, unknown>>[] }>>
> &
  Readonly<
    Record<
      "limits" | "caches" | "aggregates" | "services" | "reloads" | "points",
      readonly Readonly<Record<string, unknown>>[]
    >
  > &
  Readonly<{ total: Readonly<Record<string, number>>; kept?: { entries: number }; store: object; processes: number }>;

/** Starts it; names that users choose are markup. */
export async function startStateScene(): Promise<StateScene> {
  const second = await startUpstream((_req, res) => void res.end("{}"));
  const scene = await startSceneOf((port) => stateConfig(port, second.port), {
    answer: (_req, res) => void res.end("{}"),
    gateway: {
      discovery: {
        [markup]: async ({ name }, update, signal) => {
          update([{ host: `${name}.test`, port: 1 }]);
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        },
      },
    },
  });
  const { port, cookie } = scene;
  return {
    ...scene,
    second,
    ask: async (path) => (await request({ port, path: `/gw${path}` })).status,
    state: async () => {
      const { body } = await request({ port, path: "/_gateway/state", headers: { Cookie: cookie } });
      return JSON.parse(body.toString()) as State;
    },
    async close() {
      await scene.close();
      await second.close();
    },
  };
}

function stateConfig(first: number, second: number): unknown {
  const hosts = [first, second].map((Port) => ({ Host: "127.0.0.1", Port }));
  const route = { DownstreamPathTemplate: "/", DownstreamHostAndPorts: hosts.slice(0, 1) };
  return {
    Routes: [
      { ...route, Key: markup, UpstreamPathTemplate: "/plain" },
      {
        ...route,
        Key: "pair",
        UpstreamPathTemplate: "/pair",
        DownstreamHostAndPorts: hosts,
        LoadBalancerOptions: { Type: "CookieStickySessions", Key: "who" },
        QoSOptions: { MinimumThroughput: 1, BreakDuration: 60_000 },
      },
      { ...route, Key: "limited", UpstreamPathTemplate: "/limited", RateLimitOptions: { Limit: 2, Period: "1h" } },
      { ...route, Key: "cached", UpstreamPathTemplate: "/cached", CacheOptions: { TtlSeconds: 60, Region: markup } },
      { ...route, Key: "other", UpstreamPathTemplate: "/other", CacheOptions: { TtlSeconds: 60 } },
      { Key: "found", UpstreamPathTemplate: "/found", DownstreamPathTemplate: "/", ServiceName: "orders" },
    ],
    Aggregates: [{ Key: "both", UpstreamPathTemplate: "/both", RouteKeys: ["limited", "cached"] }],
    GlobalConfiguration: { ServiceDiscoveryProvider: { Type: markup } },
  };
}

/** Asks for answers to be thrown away, as the page does. */
export async function purge(
  scene: Scene,
  what: unknown,
  change: Readonly<Record<string, string | undefined>> = {},
): Promise<string> {
  const own = {
    "Content-Type": "application/json",
    "Sec-Fetch-Site": "same-origin",
    "X-Waymark-Token": await readToken(scene),
    Cookie: scene.cookie,
    Host: `localhost:${scene.port}`,
    Origin: `http://localhost:${scene.port}`,
  };
  const sent: Record<string, string | undefined> = { ...own, ...change };
  const headers = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  const body = typeof what === "string" ? what : JSON.stringify(what);
  const answer = await request({ port: scene.port, method: "POST", path: "/_gateway/purge", headers, body });
  return `${answer.status} ${answer.body.toString()}`;
}
