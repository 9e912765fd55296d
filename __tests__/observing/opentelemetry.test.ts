import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { propagation, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { type DelegatingHandler, parseConfig } from "../../src/index.ts";
import { openTelemetry } from "../../src/opentelemetry.ts";
import { engines } from "../helpers/engines.ts";
import { sendBytes } from "../helpers/send-raw.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const clientTrace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

let upstream: Upstream;
let gateway: RunningGateway;
let spans: InMemorySpanExporter;

beforeAll(() => void propagation.setGlobalPropagator(new W3CTraceContextPropagator()));
afterAll(() => propagation.disable());

beforeEach(() => {
  spans = new InMemorySpanExporter();
});

afterEach(async () => {
  await gateway.close();
  await upstream.close();
});

async function start(
  options: Parameters<typeof openTelemetry>[0] = {},
  engine = engines[0]!.create(),
  handlers: DelegatingHandler[] = [],
): Promise<void> {
  upstream = await startUpstream();
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: upstream.port }];
  const route = {
    Key: "orders",
    UpstreamPathTemplate: "/orders/{id}",
    DownstreamPathTemplate: "/api/{id}",
    DownstreamHostAndPorts,
  };
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] });
  gateway = await startGateway(
    { Routes: [route, { ...route, Key: "by-token", UpstreamPathTemplate: "/by/{token}/{id}" }] },
    { engine, handlers, observers: [openTelemetry({ tracerProvider, ...options })] },
  );
}

/** The request behind it is only answered once the record of the first is made. */
async function ask(path: string, headers = ""): Promise<void> {
  await sendBytes(
    gateway.port,
    `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\nGET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  );
}

test.each(engines)(
  "the client's trace goes on to the upstream, with a span for each side, $name",
  async ({ create }) => {
    await start({}, create());
    await ask("/orders/7?token=k1", `traceparent: ${clientTrace}\r\n`);
    const [call, server] = spans.getFinishedSpans();
    const { traceId, spanId } = call!.spanContext();
    expect(upstream.requests[0]!.headers.traceparent).toBe(`00-${traceId}-${spanId}-01`);
    expect(traceId).toBe("0af7651916cd43dd8448eb211c80319c");
    expect(call).toMatchObject({
      name: "GET",
      kind: SpanKind.CLIENT,
      attributes: {
        "http.request.method": "GET",
        "server.address": "127.0.0.1",
        "server.port": upstream.port,
        "url.full": `${upstream.origin}/api/7?token=***`,
        "http.response.status_code": 200,
      },
      status: { code: SpanStatusCode.UNSET },
    });
    expect(call!.parentSpanContext?.spanId).toBe(server!.spanContext().spanId);
    expect(server).toMatchObject({
      name: "GET /orders/{id}",
      kind: SpanKind.SERVER,
      attributes: {
        "http.request.method": "GET",
        "http.response.status_code": 200,
        "http.route": "/orders/{id}",
        "server.address": "a",
        "url.path": "/orders/7",
        "url.query": "token=***",
        "url.scheme": "http",
        "waymark.route": "orders",
      },
      status: { code: SpanStatusCode.UNSET },
    });
    expect(server!.parentSpanContext?.spanId).toBe("b7ad6b7169203331");
  },
);

test("a secret in the path is in no span", async () => {
  await start();
  await ask("/by/s3same/7");
  expect(spans.getFinishedSpans().map(({ attributes }) => attributes["url.path"])).toEqual([undefined, "/by/***/7"]);
  await gateway.gateway.reload(
    parseConfig(
      {
        Routes: [
          {
            UpstreamPathTemplate: "/by/{token}",
            DownstreamPathTemplate: "/t/{token}",
            DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
          },
        ],
      },
      { logger: false },
    ),
  );
  spans.reset();
  await ask("/by/s3same");
  expect(spans.getFinishedSpans()[0]!.attributes["url.full"]).toBe(`${upstream.origin}/t/***`);
});

test("a handler that asks twice makes two calls", async () => {
  const askTwice: DelegatingHandler = async (_outgoing, next) => {
    (await next()).body.resume();
    return next();
  };
  await start({}, undefined, [askTwice]);
  await ask("/orders/7");
  expect(spans.getFinishedSpans().map(({ kind }) => kind)).toEqual([SpanKind.CLIENT, SpanKind.CLIENT, SpanKind.SERVER]);
});

test("a failure marks both spans", async () => {
  await start();
  await upstream.refuse();
  await ask("/orders/7");
  const failed = { attributes: { "error.type": "upstream-refused" }, status: { code: SpanStatusCode.ERROR } };
  expect(spans.getFinishedSpans()).toMatchObject([failed, failed]);
});

test("the duration is measured", async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const meterProvider = new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })],
  });
  await start({ meterProvider });
  await ask("/orders/7");
  await meterProvider.forceFlush();
  const [{ descriptor, dataPoints } = { descriptor: undefined, dataPoints: [] }] =
    exporter.getMetrics()[0]!.scopeMetrics[0]!.metrics;
  await meterProvider.shutdown();
  expect(descriptor).toMatchObject({ name: "http.server.request.duration", unit: "s" });
  expect(dataPoints).toMatchObject([
    {
      attributes: {
        "http.request.method": "GET",
        "http.response.status_code": 200,
        "http.route": "/orders/{id}",
        "url.scheme": "http",
      },
      value: { count: 1 },
    },
  ]);
});

test("the services that only clients name are measured as one", async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  upstream = await startUpstream();
  gateway = await startGateway(
    { GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Table", AllowAnyService: true } } },
    {
      observers: [openTelemetry({ meterProvider })],
      discovery: { Table: async (_service, update) => update([{ host: "127.0.0.1", port: upstream.port }]) },
    },
  );
  for (const path of ["/orders/1", "/stock/1"]) await ask(path);
  await meterProvider.forceFlush();
  const [{ dataPoints } = { dataPoints: [] }] = exporter.getMetrics()[0]!.scopeMetrics[0]!.metrics;
  await meterProvider.shutdown();
  expect(dataPoints.map(({ attributes }) => attributes["http.route"])).toEqual(["*"]);
});

test("hosts, caches and limits are measured", async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const meterProvider = new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })],
  });
  upstream = await startUpstream();
  const host = { Host: "127.0.0.1", Port: upstream.port };
  const route = {
    Key: "orders",
    UpstreamPathTemplate: "/orders",
    DownstreamPathTemplate: "/",
    // A host that is listed twice is one.
    DownstreamHostAndPorts: [host, host],
    CacheOptions: { TtlSeconds: 60 },
    RateLimitOptions: { Limit: 2, Period: "1h" },
  };
  gateway = await startGateway({ Routes: [route] }, { observers: [openTelemetry({ meterProvider })] });
  for (let time = 0; time < 3; time += 1) await ask("/orders");
  await meterProvider.forceFlush();
  const { metrics } = exporter.getMetrics()[0]!.scopeMetrics[0]!;
  await meterProvider.shutdown();
  const told = metrics.flatMap(({ descriptor: { name }, dataPoints }) =>
    dataPoints.map(({ attributes, value }) => [name, attributes, value] as const),
  );
  const of = { "waymark.route": "orders" };
  const at = { ...of, "waymark.host": upstream.origin };
  expect(told.filter(([name]) => name.startsWith("waymark."))).toEqual([
    ["waymark.host.state", { ...at, "waymark.state": "up" }, 1],
    ["waymark.host.requests.running", at, 0],
    ["waymark.cache.results", { ...of, "waymark.cache.result": "miss" }, 1],
    ["waymark.cache.results", { ...of, "waymark.cache.result": "hit" }, 1],
    ["waymark.rate_limit.refusals", of, 1],
  ]);
});
