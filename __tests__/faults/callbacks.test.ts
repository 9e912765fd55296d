import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, test } from "@jest/globals";
import {
  type DelegatingHandler,
  createGateway,
  type Engine,
  type GatewayOptions,
  type ObservedRequest,
  type OutgoingRequest,
  parseConfig,
  type Responder,
  watchConfig,
} from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";
import {
  ask,
  cleanUpLater,
  closeAll,
  createLogBook,
  gatewayFor,
  routeTo,
  until,
  upstreamFor,
} from "../reload/scene.ts";

afterEach(closeAll);

// What runs in a timer or behind an event has nobody above it: here an uncaught exception fails the test.

const failing = (): never => {
  throw new Error("a mistake in somebody's callback");
};
const failingLater = (): Promise<never> => Promise.reject(new Error("a mistake, later"));

/** An engine of a user's, whose own listeners fail before and behind those of the one that it wraps. */
function wrap(inner: Engine, listeners: readonly (() => unknown)[]): Engine {
  return {
    ...inner,
    forward(outgoing, context) {
      for (const listener of listeners) context.onCancel(listener);
      const answer = inner.forward(outgoing, context);
      for (const listener of listeners) context.onCancel(listener);
      return answer;
    },
  };
}

const listenerFailed = "error: A listener for the end of a request failed; requests go on.";

describe.each(engines)("an engine around $name whose listeners fail", ({ create }) => {
  const engine = (): Engine => wrap(create(), [failing, failingLater]);

  test("has the time-outs of its route, and every request of it ends", async () => {
    let closed = 0;
    const { port, server } = await upstreamFor(() => undefined);
    server.on("request", (req) => req.socket.once("close", () => (closed += 1)));
    const { logger, lines } = createLogBook();
    const config = { Routes: [routeTo(port, "/a", { Timeout: 0.1 })] };
    const { origin } = await gatewayFor(config, { engine: engine(), logger });
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all([ask(origin, "/a"), ask(origin, "/a"), ask(origin, "/a")]);
      expect(answers.map((answer) => answer.slice(0, 3))).toEqual(["504", "504", "504"]);
    }
    // Those behind the failing ones were told: nothing is left open to the upstream.
    await until(() => closed === 6);
    expect(lines.filter((line) => line === listenerFailed)).toHaveLength(6 * 4);
  });

  test("answers, and loses nothing where the client leaves", async () => {
    const { port, server } = await upstreamFor((req, res) => {
      if (req.url === "/a") res.end("fine");
    });
    const config = { Routes: [routeTo(port, "/a"), routeTo(port, "/slow")] };
    const { origin, gateway } = await gatewayFor(config, { engine: engine() });
    expect(await ask(origin, "/a")).toBe("200 fine");
    const leaving = new AbortController();
    const left = expect(fetch(`${origin}/slow`, { signal: leaving.signal })).rejects.toThrow();
    const [arrived] = (await once(server, "request")) as [{ socket: { closed: boolean } }];
    leaving.abort();
    await left;
    await until(() => arrived.socket.closed && gateway.health().running === 0);
    expect(await ask(origin, "/a")).toBe("200 fine");
  });
});

describe("an engine that fails to end", () => {
  const broken: readonly (readonly [string, () => unknown, string])[] = [
    ["rejects", failingLater, "error: The engine failed to close"],
    ["throws", failing, "error: The engine failed to close"],
    ["never settles", () => new Promise(() => undefined), "warn: The engine has not closed in time"],
    ["returns nothing", () => undefined, ""],
  ];

  test.each(broken)("by a close() that %s keeps no gateway from closing", async (_what, close, line) => {
    const { port } = await upstreamFor();
    const { logger, lines } = createLogBook();
    const inner = engines[0]!.create();
    cleanUpLater(inner.close);
    const engine = { ...inner, close: close as Engine["close"] };
    const { origin, gateway } = await gatewayFor({ Routes: [routeTo(port, "/a")] }, { engine, logger });
    expect(await ask(origin, "/a")).toBe("200 GET /a");
    await gateway.close();
    expect(lines.filter((one) => one.includes("The engine ")).map((one) => one.slice(0, line.length))).toEqual(
      line === "" ? [] : [line],
    );
  });

  test("by release(): each of the settings is released, and the reload took effect", async () => {
    const { port } = await upstreamFor();
    const { logger, lines } = createLogBook();
    let released = 0;
    const release = (): never => {
      released += 1;
      return failing();
    };
    const connecting = (path: string, Connect: number): object => routeTo(port, path, { Limits: { Connect } });
    const { origin, gateway } = await gatewayFor(
      { Routes: [connecting("/a", 1), connecting("/b", 2)] },
      { engine: { ...engines[0]!.create(), release }, logger },
    );
    const next = parseConfig({ Routes: [connecting("/c", 3)] }, { logger: false });
    expect(await gateway.reload(next)).toMatchObject({ added: ["/c"] });
    expect([released, await ask(origin, "/c"), gateway.health().lastFailure]).toEqual([2, "200 GET /c", undefined]);
    expect(lines.filter((line) => line.startsWith("error: The engine could not release"))).toHaveLength(2);
  });
});

test.each([
  ["throws", failing],
  ["rejects", failingLater],
])("an observer that %s is logged, and requests go on", async (_how, fail) => {
  const { port } = await upstreamFor();
  const { logger, lines } = createLogBook();
  const ended: number[] = [];
  const observers = [
    { begin: () => ({ sending: fail, ended: fail }) },
    { begin: fail as () => never },
    { begin: () => ({ ended: ({ status }: { status: number }) => void ended.push(status) }) },
  ];
  const { origin } = await gatewayFor({ Routes: [routeTo(port, "/a")] }, { observers, logger });
  expect(await ask(origin, "/a")).toBe("200 GET /a");
  await until(() => ended.length === 1);
  await until(() => lines.filter((line) => line.startsWith("error: An observer failed")).length >= 3);
});

const unreadable = (): object => new Proxy({}, { get: failing, has: failing, getPrototypeOf: failing });

// On a plain server nobody stands above the gateway either.
test.each<[what: string, begun: unknown, failures: number]>([
  ["null", null, 0],
  ["undefined", undefined, 0],
  ["false", false, 0],
  ["a text", "not this one", 0],
  ["a number", 7, 0],
  ["nothing in its members", { sending: null, ended: () => undefined, left: null }, 0],
  ["an object without members", {}, 1],
  ["an object that cannot be read", unreadable(), 1],
  ["a promise of another realm that fails", runInNewContext("Promise.reject(new Error('elsewhere'))"), 1],
])("an observer whose begin returns %s harms nobody", async (_what, begun, failures) => {
  const { port } = await upstreamFor();
  const { logger, lines } = createLogBook();
  const ended: number[] = [];
  const observers = [
    { begin: () => begun as ObservedRequest | null },
    { begin: () => ({ ended: ({ status }: { status: number }) => void ended.push(status) }) },
  ];
  const config = parseConfig({ Routes: [routeTo(port, "/a")] }, { logger: false });
  const gateway = createGateway(config, { observers, logger });
  const { origin, close } = await serve(gateway, gateway);
  cleanUpLater(close);
  expect(await ask(origin, "/a")).toBe("200 GET /a");
  await until(() => ended.length === 1);
  const told = lines.filter((line) => line.startsWith("error: An observer failed"));
  if (failures === 0) expect(told).toEqual([]);
  else expect(told.length).toBeGreaterThanOrEqual(failures);
});

test("an observer that leaves no readable headers changes nothing of the request", async () => {
  const upstream = await startUpstream();
  cleanUpLater(upstream.close);
  const sending = (outgoing: OutgoingRequest): void => {
    outgoing.headers = new Proxy(outgoing.headers, { ownKeys: failing });
  };
  const observers = [{ begin: () => ({ sending, ended: () => undefined }) }];
  const { logger, lines } = createLogBook();
  const { origin } = await gatewayFor({ Routes: [routeTo(upstream.port, "/a")] }, { observers, logger });
  const answer = await fetch(`${origin}/a`, { headers: { "x-mine": "yes" } });
  expect([answer.status, upstream.requests[0]!.headers["x-mine"]]).toEqual([200, "yes"]);
  expect(lines.filter((line) => line.startsWith("error: An observer failed"))).toHaveLength(1);
});

const ofAnotherRealm = (): never => runInNewContext("Promise.reject(new Error('elsewhere'))") as never;
const known = { AuthenticationOptions: { AuthenticationProviderKeys: ["Own"] } };
const counted = { RateLimitOptions: { Limit: 9, Period: "1s" } };

// A promise that nobody waits for would end the process.
test.each<[what: string, route: object, options: GatewayOptions, status: string]>([
  [
    "balancer",
    { LoadBalancerOptions: { Type: "Own" }, DownstreamHostAndPorts: [{ Host: "127.0.0.1" }, { Host: "127.0.0.2" }] },
    { balancers: { Own: failingLater as never } },
    "500",
  ],
  [
    "placeholder of a header",
    { UpstreamHeaderTransform: { "X-A": "{Own}" } },
    { headerPlaceholders: { Own: failingLater as never } },
    "500",
  ],
  ["scheme of another realm", known, { authentication: { Own: ofAnotherRealm } }, "503"],
  [
    "scheme whose challenge",
    known,
    { authentication: { Own: Object.assign(() => undefined, { challenge: failingLater as never }) } },
    "500",
  ],
  ["store of another realm", counted, { store: { take: ofAnotherRealm } }, "200"],
])("a %s gives a promise that fails: nothing else does", async (_what, route, options, status) => {
  const { port } = await upstreamFor();
  const { origin } = await gatewayFor({ Routes: [routeTo(port, "/a", route)] }, { logger: false, ...options });
  for (let round = 0; round < 2; round += 1) expect((await ask(origin, "/a")).slice(0, 3)).toBe(status);
});

test("a responder's hooks that reject fail what they are told of, and nothing else", async () => {
  const { port } = await upstreamFor();
  const { logger, lines } = createLogBook();
  const hooks = { started: failingLater as unknown as () => void, matched: failingLater as unknown as () => void };
  const responder: Responder = Object.assign(((_upstream, _context, respond) => respond()) as Responder, hooks);
  for (const middleware of [[], [(_req: unknown, _res: unknown, next: () => void) => next()]]) {
    const { origin } = await gatewayFor({ Routes: [routeTo(port, "/a")] }, { responder, middleware, logger });
    expect((await ask(origin, "/a")).slice(0, 3)).toBe("500");
  }
  expect(lines.filter((line) => line.startsWith("error: The responder's hook"))).toHaveLength(2);
});

describe.each(engines)("an observer that writes more than headers, $name", ({ create }) => {
  const ways: readonly (readonly [string, (outgoing: OutgoingRequest) => unknown])[] = [
    ["a length", ({ headers }) => (headers["content-length"] = "50")],
    ["a length in capitals", ({ headers }) => void (headers["Content-Length"] = "50")],
    ["a length taken away", ({ headers }) => Reflect.deleteProperty(headers, "content-length")],
    ["chunks", ({ headers }) => void (headers["transfer-encoding"] = "chunked")],
    ["hop-by-hop headers", ({ headers }) => void Object.assign(headers, { connection: "x-seen", Upgrade: "h2c" })],
    ["another path", (outgoing) => void (outgoing.path = "/../secret")],
    ["another origin", (outgoing) => void (outgoing.origin = "http://127.0.0.1:1")],
    ["another method", (outgoing) => void (outgoing.method = "DELETE")],
    ["another body", (outgoing) => void (outgoing.body = Buffer.from("forged"))],
    ["no headers at all", (outgoing) => void (outgoing.headers = undefined as never)],
    ["a line break", ({ headers }) => void (headers["x-a"] = "a\r\nX-B: 1")],
  ];

  test.each(ways)("%s: each request goes out as it was", async (what, write) => {
    const upstream = await startUpstream();
    cleanUpLater(upstream.close);
    const sending = (outgoing: OutgoingRequest): void => {
      write(outgoing);
      outgoing.headers["x-seen"] = "yes";
    };
    const observers = [{ begin: () => ({ sending, ended: () => undefined }) }];
    const handlers: DelegatingHandler[] = [(_outgoing, next) => next()];
    for (const more of [{}, { handlers }]) {
      const config = { Routes: [routeTo(upstream.port, "/a")] };
      const { origin } = await gatewayFor(config, { engine: create(), observers, logger: false, ...more });
      for (const body of [undefined, "abc"]) {
        const method = body === undefined ? "GET" : "POST";
        const answer = await fetch(`${origin}/a`, { method, body: body ?? null });
        expect([answer.status, await answer.text()]).toEqual([200, `${method} /a`]);
        const { headers, body: arrived } = upstream.requests.at(-1)!;
        expect([arrived.toString(), headers["transfer-encoding"], headers.upgrade]).toEqual([
          body ?? "",
          undefined,
          undefined,
        ]);
        if (what !== "no headers at all") expect(headers["x-seen"]).toBe("yes");
      }
    }
  });

  test("what it sets has one spelling", async () => {
    const upstream = await startUpstream();
    cleanUpLater(upstream.close);
    const sending = ({ headers }: OutgoingRequest): void => {
      headers["X-B3-TraceId"] = "ours";
    };
    const observers = [{ begin: () => ({ sending, ended: () => undefined }) }];
    const { origin } = await gatewayFor({ Routes: [routeTo(upstream.port, "/a")] }, { engine: create(), observers });
    await (await fetch(`${origin}/a`, { headers: { x_b3_traceid: "theirs" } })).text();
    const { headers } = upstream.requests[0]!;
    expect([headers["x-b3-traceid"], headers.x_b3_traceid]).toEqual(["ours", undefined]);
  });
});

test.each([
  ["throw", failing],
  ["reject", failingLater],
])("callbacks of watchConfig that %s are logged, and watching goes on", async (_how, fail) => {
  const folder = await mkdtemp(join(tmpdir(), "waymark-callbacks-"));
  cleanUpLater(() => rm(folder, { recursive: true }));
  const file = join(folder, "gateway.json");
  const { port } = await upstreamFor();
  const { origin, gateway } = await gatewayFor({ Routes: [routeTo(port, "/a")] });
  await writeFile(file, "{");
  const { logger, lines } = createLogBook();
  const callbacks = { reloaded: fail, failed: fail as () => void };
  const unreadable = watchConfig(file, gateway, { ...callbacks, transform: fail as () => never, logger });
  await unreadable.check();
  unreadable.close();
  expect(lines.at(-1)).toBe("error: A callback of watchConfig failed.");
  const watcher = watchConfig(file, gateway, { ...callbacks, logger });
  await watcher.check();
  await writeFile(file, JSON.stringify({ Routes: [] }));
  await watcher.check();
  await writeFile(file, JSON.stringify({ Routes: [routeTo(port, "/b")] }));
  await watcher.check();
  expect(await ask(origin, "/b")).toBe("200 GET /b");
  watcher.close();
  await until(() => lines.filter((line) => line === "error: A callback of watchConfig failed.").length >= 4);
});
