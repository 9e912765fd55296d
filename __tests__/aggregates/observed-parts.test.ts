import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { propagation, SpanKind } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { Registry } from "prom-client";
import { accessLog, type PartRecord, type RequestObserver } from "../../src/index.ts";
import { openTelemetry } from "../../src/opentelemetry.ts";
import { prometheusMetrics } from "../../src/prometheus.ts";
import { engines } from "../helpers/engines.ts";
import { holdDeadPort } from "../helpers/hold-dead-port.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const key = "the-key-of-tom";
const Keys = [{ Name: "tom", Sha256: createHash("sha256").update(key).digest("hex") }];
const clientTrace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

let upstream: Upstream;
let deadPort: Awaited<ReturnType<typeof holdDeadPort>>;
let gateway: RunningGateway | undefined;

beforeAll(async () => {
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  deadPort = await holdDeadPort();
  upstream = await startUpstream((req, res) => {
    const answer = req.url?.startsWith("/first") === true ? [{ id: 1 }, { id: 2 }] : req.url;
    res.writeHead(req.url?.startsWith("/b") === true ? 404 : 200, { "content-type": "application/json" });
    res.end(JSON.stringify(answer));
  });
});

afterEach(async () => {
  await gateway?.close();
  upstream.requests.length = 0;
});

afterAll(async () => {
  propagation.disable();
  await Promise.all([upstream.close(), deadPort.release()]);
});

async function start(observer: RequestObserver, engine = engines[0]!.create()): Promise<void> {
  const route = (Key: string, path: string, more: object = {}): object => ({
    Key,
    UpstreamPathTemplate: path,
    DownstreamPathTemplate: path,
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    ...more,
  });
  const both = (template: string, RouteKeys: readonly string[], more: object = {}): object => ({
    UpstreamPathTemplate: template,
    RouteKeys,
    ...more,
  });
  gateway = await startGateway(
    {
      Routes: [
        route("a", "/a"),
        route("b", "/b"),
        route("first", "/first"),
        route("user", "/users/{id}"),
        route("away", "/away", { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: deadPort.port }] }),
        route("cached", "/cached", { CacheOptions: { TtlSeconds: 60 } }),
        route("locked", "/locked", { AuthenticationOptions: { AuthenticationProviderKeys: ["Keys"] } }),
      ],
      Aggregates: [
        both("/both", ["a", "b"]),
        both("/by/{token}?x={code}", ["a", "b"]),
        both("/values", ["first", "user"], {
          RouteKeysConfig: [{ RouteKey: "user", JsonPath: "$[*].id", Parameter: "id" }],
        }),
        both("/gone", ["a", "away"], { OnFailure: "Null" }),
        both("/kept", ["a", "cached"]),
        both("/guarded", ["a", "locked"]),
      ],
      GlobalConfiguration: { AuthenticationSchemes: { Keys: { Type: "ApiKey", Keys } }, RequestIdKey: "X-Id" },
    },
    { engine, observers: [observer] },
  );
}

/** Asks, and waits until the record of the whole is made. */
async function ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const { status } = await request({ port: gateway!.port, path, headers });
  await request({ port: gateway!.port, path: "/nowhere" });
  return status;
}

type Seen = Readonly<{ ended: PartRecord[]; left: string[]; observer: RequestObserver }>;

function watchParts(): Seen {
  const [ended, left]: [PartRecord[], string[]] = [[], []];
  const part = ({ route }: { route: { id: string } }) => ({
    sending: ({ headers }: { headers: Record<string, string | string[]> }) => void (headers["x-part"] = route.id),
    ended: (record: PartRecord) => void ended.push(record),
    left: () => void left.push(route.id),
  });
  return { ended, left, observer: { begin: () => ({ ended: () => undefined, part }) } };
}

describe("An observer of an aggregate", () => {
  test.each(engines)("sees each call of a part, and sets what is sent ($name)", async ({ create }) => {
    const { ended, left, observer } = watchParts();
    await start(observer, create());
    expect(await ask("/both", { "X-Id": "one" })).toBe(200);
    const seen = ended.toSorted((one, other) => (one.route.id < other.route.id ? -1 : 1));
    expect(
      seen.map(({ route, aggregate, ...rest }) => ({ route: route.id, aggregate: aggregate.id, ...rest })),
    ).toEqual(
      ["a", "b"].map((id) => ({
        route: id,
        aggregate: "aggregate-0",
        requestId: "one",
        identity: undefined,
        method: "GET",
        target: `${upstream.origin}/${id}`,
        status: id === "a" ? 200 : 404,
        startedAt: expect.any(Number),
        duration: expect.any(Number),
        cache: undefined,
        retries: undefined,
        error: undefined,
      })),
    );
    expect(upstream.requests.map(({ target, headers }) => [target, headers["x-part"]]).toSorted()).toEqual([
      ["/a", "a"],
      ["/b", "b"],
    ]);
    expect(left).toEqual([]);
  });

  test.each<[reason: string, path: string, ended: readonly string[], left: readonly string[]]>([
    ["a part that is asked for values: each call", "/values", ["first 200", "user 200", "user 200"], ["user"]],
    ["a part that cannot be asked: what it failed with", "/gone", ["a 200", "away 502 upstream-refused"], []],
    [
      "a part that refuses the client: the others are not sent",
      "/guarded",
      ["locked 401 authentication-required"],
      ["a"],
    ],
    ["a part that a cache answers", "/kept", ["a 200", "cached 200"], []],
  ])("%s", async (_reason, path, expected, expectedLeft) => {
    const { ended, left, observer } = watchParts();
    await start(observer);
    await ask(path);
    const told = ended.map(({ route, status, error }) => [route.id, status, error].filter((one) => one !== undefined));
    expect(told.map((words) => words.join(" ")).toSorted()).toEqual(expected);
    expect(left).toEqual(expectedLeft);
  });

  test("one that fails, or wants nothing of the parts, harms nobody", async () => {
    const fail = (): never => {
      throw new Error("no");
    };
    await start({
      begin: () => ({ ended: () => undefined, part: () => ({ sending: fail, ended: fail, left: fail }) }),
    });
    expect(await ask("/both")).toBe(200);
    await gateway!.close();
    await start({ begin: () => ({ ended: () => undefined, part: () => null }) });
    expect(await ask("/both")).toBe(200);
  });

  test("who was let in is told of the part that asked, and of the whole", async () => {
    const lines: Record<string, unknown>[] = [];
    await start(
      accessLog({ info: (fields) => void lines.push(fields as Record<string, unknown>) }, { identity: true }),
    );
    expect(await ask("/guarded", { "X-Api-Key": key })).toBe(200);
    const byRoute = Object.fromEntries(lines.map(({ route, identity }) => [route, identity]));
    expect(byRoute).toEqual({ a: undefined, locked: byRoute["aggregate-5"], "aggregate-5": expect.anything() });
    expect(byRoute.locked).toMatchObject({ scheme: "Keys" });
  });
});

test("The access log has a line for each part before that of the whole, without the secrets of either", async () => {
  const lines: string[] = [];
  await start(accessLog({ info: (fields, message) => void lines.push(message, JSON.stringify(fields)) }));
  await ask("/by/s3same?x=hidden");
  const [messages, fields] = [0, 1].map((odd) => lines.filter((_line, index) => index % 2 === odd));
  const { origin } = upstream;
  expect(messages!.map((line) => line.replace(/ \d+ ms$/, "")).toSorted()).toEqual([
    "GET /by/***?x=*** 200",
    `GET part a of aggregate-1 -> ${origin}/a?x=*** 200`,
    `GET part b of aggregate-1 -> ${origin}/b?x=*** 404`,
  ]);
  expect(messages!.at(-1)).toMatch(/^GET \/by/);
  expect(JSON.parse(fields![0]!)).toMatchObject({ route: "a", aggregate: "aggregate-1", status: 200 });
  expect(lines.join()).not.toMatch(/s3same|hidden/);
});

test("The trace goes on to the parts, with a span for each call", async () => {
  const spans = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] });
  await start(openTelemetry({ tracerProvider }));
  await ask("/both", { traceparent: clientTrace });
  await ask("/gone");
  const [server, gone] = spans.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER);
  const calls = spans.getFinishedSpans().filter(({ kind }) => kind === SpanKind.CLIENT);
  const below = (id: string): typeof calls => calls.filter(({ parentSpanContext }) => parentSpanContext?.spanId === id);
  const both = below(server!.spanContext().spanId);
  expect(
    both.map(({ attributes }) => [attributes["url.full"], attributes["http.response.status_code"]]).toSorted(),
  ).toEqual([
    [`${upstream.origin}/a`, 200],
    [`${upstream.origin}/b`, 404],
  ]);
  const sent = both.map((call) => `00-${server!.spanContext().traceId}-${call.spanContext().spanId}-01`);
  expect(upstream.requests.slice(0, 2).map(({ headers }) => headers.traceparent)).toEqual(expect.arrayContaining(sent));
  expect(server!.spanContext().traceId).toBe(clientTrace.split("-")[1]);
  expect(
    below(gone!.spanContext().spanId)
      .map(({ attributes }) => attributes["error.type"])
      .toSorted(),
  ).toEqual(["upstream-refused", undefined]);
});

test("Metrics count the request once, and what became of the parts under their routes", async () => {
  const register = new Registry();
  await start(prometheusMetrics({ register }));
  await ask("/gone");
  await ask("/guarded");
  await ask("/kept");
  await ask("/kept");
  const text = await register.metrics();
  const value = (name: string): readonly string[] =>
    text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  expect(value("waymark_requests_total")).toHaveLength(3);
  expect(value("waymark_errors_total").toSorted()).toEqual([
    'waymark_errors_total{route="aggregate-5",code="part-failed"} 1',
    'waymark_errors_total{route="away",code="upstream-refused"} 1',
    'waymark_errors_total{route="locked",code="authentication-required"} 1',
  ]);
  expect(value("waymark_cache_results_total").toSorted()).toEqual([
    'waymark_cache_results_total{route="cached",result="hit"} 1',
    'waymark_cache_results_total{route="cached",result="miss"} 1',
  ]);
  expect(value("waymark_upstream_duration_seconds_count")).toContain(
    'waymark_upstream_duration_seconds_count{route="a"} 3',
  );
});
