import type { RequestListener } from "node:http";
import { afterEach, expect, test } from "@jest/globals";
import { Registry } from "prom-client";
import { type PrometheusOptions, prometheusMetrics } from "../../src/prometheus.ts";
import { sendBytes } from "../helpers/send-raw.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

let upstream: Upstream;
let gateway: RunningGateway;

afterEach(async () => {
  await gateway.close();
  await upstream.close();
});

async function start(options: PrometheusOptions): Promise<void> {
  upstream = await startUpstream();
  const route = { DownstreamPathTemplate: "/", DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
  const Routes = ["a", "b", "c"].map((Key) => ({ ...route, Key, UpstreamPathTemplate: `/${Key}` }));
  gateway = await startGateway({ Routes }, { observers: [prometheusMetrics(options)] });
}

/** Two requests of which the first keeps the connection: its record is made before the second is read. */
async function ask(method: string, path: string): Promise<void> {
  await sendBytes(
    gateway.port,
    `${method} ${path} HTTP/1.1\r\nHost: a\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  );
}

function lines(text: string, name: string): string[] {
  return text.split("\n").filter((line) => line.startsWith(name));
}

test("a scrape tells requests, times and errors, by route", async () => {
  const register = new Registry();
  await start({ register, buckets: [60] });
  await ask("GET", "/a");
  await ask("GET", "/a");
  await ask("PURGE", "/b");
  await upstream.close();
  await ask("GET", "/c");
  const text = await register.metrics();
  expect(lines(text, "waymark_requests_total")).toEqual([
    'waymark_requests_total{route="a",method="GET",status="200"} 2',
    'waymark_requests_total{route="b",method="OTHER",status="200"} 1',
    'waymark_requests_total{route="c",method="GET",status="502"} 1',
  ]);
  expect(lines(text, "waymark_errors_total")).toEqual(['waymark_errors_total{route="c",code="upstream-refused"} 1']);
  expect(lines(text, "waymark_requests_running")).toEqual(["waymark_requests_running 0"]);
  expect(lines(text, "waymark_request_duration_seconds_bucket")).toContain(
    'waymark_request_duration_seconds_bucket{le="60",route="a"} 2',
  );
  expect(lines(text, "waymark_upstream_duration_seconds_count")).toEqual([
    'waymark_upstream_duration_seconds_count{route="a"} 2',
    'waymark_upstream_duration_seconds_count{route="b"} 1',
  ]);
});

test("more routes than labels are one", async () => {
  const register = new Registry();
  await start({ register, routes: 1 });
  for (const path of ["/a", "/b", "/c", "/a"]) await ask("GET", path);
  expect(lines(await register.metrics(), "waymark_requests_total")).toEqual([
    'waymark_requests_total{route="a",method="GET",status="200"} 2',
    'waymark_requests_total{route="other",method="GET",status="200"} 2',
  ]);
});

test("a scrape tells of hosts, caches, limits and breakers", async () => {
  const register = new Registry();
  const answer: RequestListener = (req, res) =>
    void req.resume().on("end", () => res.writeHead(broken ? 500 : 200).end());
  let broken = true;
  upstream = await startUpstream(answer);
  const other = await startUpstream(answer);
  const hosts = [upstream, other].map(({ port }) => ({ Host: "127.0.0.1", Port: port }));
  const route = { DownstreamPathTemplate: "/", DownstreamHostAndPorts: hosts.slice(0, 1) };
  gateway = await startGateway(
    {
      Routes: [
        {
          ...route,
          Key: "pair",
          UpstreamPathTemplate: "/pair",
          DownstreamHostAndPorts: hosts,
          LoadBalancerOptions: { Type: "RoundRobin" },
          QoSOptions: { MinimumThroughput: 1, BreakDuration: 60_000 },
        },
        { ...route, Key: "limited", UpstreamPathTemplate: "/limited", RateLimitOptions: { Limit: 1, Period: "1h" } },
        { ...route, Key: "cached", UpstreamPathTemplate: "/cached", CacheOptions: { TtlSeconds: 60 } },
      ],
    },
    { observers: [prometheusMetrics({ register })] },
  );
  await ask("GET", "/pair");
  broken = false;
  for (const path of ["/pair", "/limited", "/limited", "/cached", "/cached"]) await ask("GET", path);
  const text = await register.metrics();
  expect(lines(text, "waymark_host")).toEqual([
    `waymark_host_state{route="pair",host="${upstream.origin}",state="open"} 1`,
    `waymark_host_state{route="pair",host="${other.origin}",state="up"} 1`,
    `waymark_host_requests_running{route="pair",host="${upstream.origin}"} 0`,
    `waymark_host_requests_running{route="pair",host="${other.origin}"} 0`,
  ]);
  expect(lines(text, "waymark_breaker")).toEqual(['waymark_breaker_transitions_total{route="pair",state="open"} 1']);
  expect(lines(text, "waymark_rate")).toEqual(['waymark_rate_limit_refusals_total{route="limited"} 1']);
  expect(lines(text, "waymark_cache")).toEqual([
    'waymark_cache_results_total{route="cached",result="miss"} 1',
    'waymark_cache_results_total{route="cached",result="hit"} 1',
  ]);
  await gateway.close();
  await other.close();
  expect(lines(await register.metrics(), "waymark_host")).toEqual([]);
});

test("of thousands of hosts a scrape tells 5,000, of each route a tenth, those first that are left alone", async () => {
  const register = new Registry();
  upstream = await startUpstream((req, res) => void req.resume().on("end", () => res.writeHead(500).end()));
  const instances = Array.from({ length: 600 }, (_, index) => ({
    host: `10.0.${index >> 8}.${index & 255}`,
    port: 80,
  }));
  const failing = { host: "127.0.0.1", port: upstream.port };
  const Routes = Array.from({ length: 12 }, (_, index) => ({
    ...{ Key: `route-${index}`, UpstreamPathTemplate: `/${index}`, DownstreamPathTemplate: "/", ServiceName: "orders" },
    DownstreamScheme: "http",
    // It chooses the one that fails, the last of the list.
    LoadBalancerOptions: { Type: "last" },
    QoSOptions: { MinimumThroughput: 1, BreakDuration: 60_000 },
  }));
  gateway = await startGateway(
    { Routes, GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Table", AllowAddresses: ["127.0.0.1"] } } },
    {
      observers: [prometheusMetrics({ register })],
      balancers: { last: (hosts) => hosts.at(-1)! },
      discovery: { Table: async (_service, update) => update([...instances, failing]) },
    },
  );
  await ask("GET", "/3");
  const text = await register.metrics();
  const [states, running] = ["waymark_host_state{", "waymark_host_requests_running{"].map((name) => lines(text, name));
  expect([states!.length, running!.length]).toEqual([5_000, 5_000]);
  const ofRoute = states!.filter((line) => line.includes('route="route-3"'));
  expect(ofRoute).toHaveLength(500);
  expect(ofRoute[0]).toBe(`waymark_host_state{route="route-3",host="${upstream.origin}",state="open"} 1`);
});

test("whoever wants fewer hosts in metrics says how many", async () => {
  const register = new Registry();
  upstream = await startUpstream();
  const DownstreamHostAndPorts = Array.from({ length: 4 }, (_, index) => ({ Host: "10.0.0.1", Port: 80 + index }));
  const Routes = ["a", "b", "c"].map((Key) => {
    return { Key, UpstreamPathTemplate: `/${Key}`, DownstreamPathTemplate: "/", DownstreamHostAndPorts };
  });
  gateway = await startGateway({ Routes }, { observers: [prometheusMetrics({ register, hosts: 20 })] });
  expect(lines(await register.metrics(), "waymark_host_requests_running{")).toHaveLength(6);
});
