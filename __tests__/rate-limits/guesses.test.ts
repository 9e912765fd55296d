import { once } from "node:events";
import http from "node:http";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from "@jest/globals";
import express from "express";
import {
  type Authenticator,
  fromMiddleware,
  type GatewayOptions,
  memoryStore,
  type Store,
  upgradeThrough,
} from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, serve, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

let upstream: Upstream;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  upstream = await startUpstream();
});

afterEach(async () => {
  jest.useRealTimers();
  for (const end of ends.splice(0)) await end();
});

afterAll(() => upstream.close());

/** A gateway whose route asks some schemes, and lets three be wrong in an hour. */
async function start(
  authentication: Readonly<Record<string, Authenticator>>,
  options: GatewayOptions = {},
  more: object = {},
  configuration: object = {},
): Promise<RunningGateway> {
  const route = {
    UpstreamPathTemplate: "/x",
    DownstreamPathTemplate: "/x",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    AuthenticationOptions: { AuthenticationProviderKeys: Object.keys(authentication) },
    RateLimitOptions: { Limit: 3, Period: "1h", By: "Identity" },
    ...more,
  };
  const running = await startGateway({ Routes: [route], ...configuration }, { authentication, ...options });
  ends.push(running.close);
  return running;
}

const right = "0042";
/** For this one the scheme never finds an answer. */
const endless = "9999";

/** A scheme that knows one secret, and needs a moment for each. */
function createPinScheme(): Authenticator & { asked: number } {
  const known = async ({ headers }: { headers: Record<string, unknown> }) => {
    pin.asked += 1;
    if (headers["x-pin"] === endless) await new Promise(() => undefined);
    await sleep(20);
    return headers["x-pin"] === right ? { id: "ada", claims: {} } : undefined;
  };
  const pin = Object.assign(known as Authenticator, { reads: { headers: ["x-pin"] }, asked: 0 });
  return pin;
}

async function statusOf({ port }: RunningGateway, pin?: string, more = {}, method = "GET"): Promise<number> {
  const headers = pin === undefined ? more : { "x-pin": pin, ...more };
  return (await request({ port, path: "/x", headers, method })).status;
}

function askAtOnce(running: RunningGateway, pins: readonly string[]): Promise<number[]> {
  return Promise.all(pins.map((pin) => statusOf(running, pin)));
}

const pinsTo = (most: number) => Array.from({ length: most }, (_, index) => String(index).padStart(4, "0"));

/** A store that answers later, as one elsewhere does. */
function distantStore(): Store {
  const memory = memoryStore();
  return {
    timeout: 10,
    async take(takings) {
      await sleep(1);
      return memory.take(takings);
    },
  };
}

/** A store that answers later, and tells how often it was asked. */
function countedStore(store = distantStore()): Store & { asked: number; answered: number } {
  const counted = {
    timeout: 1_000,
    asked: 0,
    answered: 0,
    async take(takings: Parameters<Store["take"]>[0]) {
      counted.asked += 1;
      const taken = await store.take(takings);
      counted.answered += 1;
      return taken;
    },
  };
  return counted;
}

/** A scheme that recognises everybody but those who are wrong, when it is told to. */
function createSlowScheme() {
  const held: (() => void)[] = [];
  const asked: unknown[] = [];
  const scheme: Authenticator = async ({ headers }) => {
    asked.push(headers["x-pin"]);
    await new Promise<void>((resolve) => held.push(resolve));
    return headers["x-pin"] === "wrong" ? undefined : { id: String(headers["x-pin"]), claims: {} };
  };
  return { scheme: Object.assign(scheme, { reads: { headers: ["x-pin"] } }), held, asked };
}

/** Sends a request whose client will leave. */
function askAndLeaveLater({ origin }: RunningGateway, pin: string, headers = {}, path = "/x"): AbortController {
  const controller = new AbortController();
  const { signal } = controller;
  fetch(`${origin}${path}`, { signal, headers: { "x-pin": pin, ...headers } }).catch(() => undefined);
  return controller;
}

/** A logger that notes which clients have gone away. */
function noteGone() {
  const gone: unknown[] = [];
  const failures: object[] = [];
  const logger = {
    debug: () => undefined,
    info(fields: object) {
      if ("code" in fields && fields.code === "client-gone") gone.push(fields);
    },
    warn: (fields: object) => void failures.push(fields),
    error: (fields: object) => void failures.push(fields),
  };
  return { logger, gone, failures };
}

/** Lets the scheme answer one after the other, until nobody is held any more. */
async function answerAll(held: (() => void)[], answers: readonly Promise<unknown>[]): Promise<unknown[]> {
  const all = Promise.all(answers);
  const state = { isOver: false };
  void all.finally(() => (state.isOver = true));
  while (!state.isOver) {
    held.shift()?.();
    await sleep(1);
  }
  return all;
}

describe.each(engines)("guesses at credentials, with $name", ({ create }) => {
  test.each([
    ["in memory", memoryStore()],
    ["in a store elsewhere", distantStore()],
  ])("are no more at once than one after the other, counted %s", async (_where, store) => {
    const pin = createPinScheme();
    const running = await start({ Pin: pin }, { engine: create(), store });

    expect((await askAtOnce(running, pinsTo(60))).sort()).toEqual([401, 401, 401, ...Array<number>(57).fill(429)]);
    expect(pin.asked).toBe(3);
  });

  test("end where the store has no place for the client", async () => {
    const store = memoryStore({ clients: 8 });
    const once = { limit: 1, period: 3_600_000, wait: 0 };
    for (let index = 0; index < 64; index += 1) {
      const taking = { route: "other", group: `${index % 8}`, client: `${index}`, quota: once, amount: 1 } as const;
      for (let time = 0; time < 2; time += 1) store.take([taking]);
    }
    const scheme = createPinScheme();
    const running = await start({ scheme }, { store, engine: create() });
    const statuses: number[] = [];
    for (const pin of [...pinsTo(6), right]) statuses.push(await statusOf(running, pin));
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429, 429]);
    expect(scheme.asked).toBe(3);
  });

  test("do not hold up those who are recognised", async () => {
    const running = await start({ Pin: createPinScheme() }, { engine: create() });
    const statuses = await askAtOnce(running, Array<string>(12).fill(right));

    // Three of one identity, and then it has had its share.
    expect(statuses.sort()).toEqual([200, 200, 200, ...Array<number>(9).fill(429)]);
  });

  test("hold their places when their clients leave, and count when the scheme has answered", async () => {
    const { scheme, held, asked } = createSlowScheme();
    const { store, logger, gone } = { store: countedStore(), ...noteGone() };
    const running = await start({ Slow: scheme }, { engine: create(), store, logger });
    const controllers = ["wrong", "wrong", "wrong"].map((pin) => askAndLeaveLater(running, pin));
    while (held.length < 3) await sleep(1);
    for (const controller of controllers) controller.abort();
    while (gone.length < 3) await sleep(1);

    const looked = store.answered;
    const next = statusOf(running, "right");
    while (store.answered === looked) await sleep(1);
    expect(asked).toHaveLength(3);
    for (const answer of held) answer();
    expect(await next).toBe(429);
    expect(asked).toHaveLength(3);
  });
});

describe("those that wait for others", () => {
  /** Sends so many requests, one behind the other, each as soon as the one before has come in; later ones may leave. */
  async function sendInTurn(running: RunningGateway, store: { asked: number }, pins: readonly string[]) {
    const controllers = pins.map(() => new AbortController());
    const answers: Promise<number | string>[] = [];
    for (const [index, pin] of pins.entries()) {
      const { asked } = store;
      const headers = { "x-pin": pin };
      const { signal } = controllers[index]!;
      answers.push(
        fetch(`${running.origin}/x`, { headers, signal }).then(
          ({ status }) => status,
          () => "left",
        ),
      );
      while (store.asked === asked) await turn();
    }
    return { answers, leave: (index: number) => controllers[index]!.abort() };
  }

  test("are asked in their order, each a few times, however many there are", async () => {
    const store = countedStore();
    const { scheme, held, asked } = createSlowScheme();
    const running = await start({ Slow: scheme }, { store });
    const pins = pinsTo(60);
    const { answers } = await sendInTurn(running, store, pins);

    expect(new Set(await answerAll(held, answers))).toEqual(new Set([200]));
    expect(asked).toEqual(pins);
    // Once as it comes, once as it is called, and once for its identity.
    expect(store.asked).toBeLessThanOrEqual(4 * pins.length);
  });

  test("are forgotten by nobody, who leaves, is wrong or is refused", async () => {
    const store = countedStore();
    const { scheme, held, asked } = createSlowScheme();
    const running = await start({ Slow: scheme }, { store });
    const pins = ["a", "b", "c", "leaves", "wrong", "d", "leaves", "wrong", "e", "wrong", "f", "g"];
    const { answers, leave } = await sendInTurn(running, store, pins);
    for (const index of [0, 3, 6]) leave(index);

    expect(await answerAll(held, answers)).toEqual([
      ...["left", 200, 200, "left", 401, 200, "left", 401, 200, 401, 429, 429],
    ]);
    expect(asked.slice(0, 3)).toEqual(["a", "b", "c"]);
  });

  test("are kept by silent schemes as long as the first ones, and their guesses count all the same", async () => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask", "performance", "Date"] });
    const store = countedStore(memoryStore());
    const { scheme, held, asked } = createSlowScheme();
    const running = await start({ Slow: scheme }, { store });
    const wrong = Array.from({ length: 8 }, () => "wrong");
    const { answers } = await sendInTurn(running, store, wrong);
    while (held.length < 3) await turn();
    jest.advanceTimersByTime(5_000);
    expect(await Promise.all(answers.slice(0, 3))).toEqual([503, 503, 503]);
    while (held.length < 6) await turn();
    jest.advanceTimersByTime(500);
    expect(await Promise.all(answers.slice(3))).toEqual([503, 503, 503, 503, 503]);

    const { answers: later } = await sendInTurn(running, store, ["right"]);
    expect(asked).toHaveLength(6);
    for (const answer of held) answer();
    expect(await later[0]).toBe(429);
    expect(asked).toHaveLength(6);
  }, 20_000);
});

describe("when a client leaves while a scheme is busy", () => {
  type Leaving = Readonly<{ held: (() => void)[]; gone: unknown[]; leave: () => unknown; times: number }>;

  /** Lets requests of one client come to a scheme, then the client go, and only then the scheme answer. */
  async function leaveAndAnswer({ held, gone, leave, times }: Leaving): Promise<void> {
    const earlier = gone.length;
    while (held.length < times) await sleep(1);
    leave();
    while (gone.length < earlier + times) await sleep(1);
    for (const answer of held.splice(0)) answer();
  }

  async function askInTurn(running: RunningGateway, held: (() => void)[], pins: readonly string[]): Promise<unknown[]> {
    const statuses: unknown[] = [];
    for (const pin of pins) statuses.push(...(await answerAll(held, [statusOf(running, pin)])));
    return statuses;
  }

  test.each([
    ["is no guess when it is recognised", ["right", "right", "right"], [401, 401, 401, 429]],
    ["is one when it is not", ["wrong", "right", "wrong"], [401, 429]],
  ])("it %s", async (_what, pins, expected) => {
    const { scheme, held } = createSlowScheme();
    const { logger, gone } = noteGone();
    const running = await start({ Slow: scheme }, { logger });
    const controllers = pins.map((pin) => askAndLeaveLater(running, pin));
    const leave = (): void => controllers.forEach((controller) => controller.abort());
    await leaveAndAnswer({ held, gone, leave, times: pins.length });

    const later = expected.map(() => "wrong");
    expect(await askInTurn(running, held, later)).toEqual(expected);
  });

  test("the scheme is not told to give up, and those behind it are asked, as any may recognise the client", async () => {
    const { scheme, held, asked } = createSlowScheme();
    const heeding: Authenticator = Object.assign(
      async (_req: unknown, { signal }: { signal: AbortSignal }) => {
        const gaveUp = once(signal, "abort").then(() => Promise.reject(new Error("Nobody waits any more.")));
        await Promise.race([new Promise<void>((resolve) => heldFirst.push(resolve)), gaveUp]);
        return undefined;
      },
      { reads: { headers: ["x-pin"] } },
    );
    const heldFirst: (() => void)[] = [];
    const { logger, gone } = noteGone();
    const running = await start({ First: heeding, Slow: scheme }, { logger });
    for (const pin of ["right", "wrong", "wrong"]) {
      const client = askAndLeaveLater(running, pin);
      await leaveAndAnswer({ held: heldFirst, gone, leave: () => client.abort(), times: 1 });
      while (held.length === 0) await sleep(1);
      held.shift()!();
    }
    expect(asked).toEqual(["right", "wrong", "wrong"]);
    const all = { shift: () => heldFirst.shift() ?? held.shift() } as (() => void)[];
    expect(await askInTurn(running, all, ["wrong", "wrong"])).toEqual([401, 429]);
  });

  test("what a scheme answers itself is a guess as well, and fails nowhere", async () => {
    const held: (() => void)[] = [];
    const login = fromMiddleware(
      (_req, res) => void held.push(() => res.writeHead(302, { location: "/login" }).end()),
      () => undefined,
    );
    const { logger, gone, failures } = noteGone();
    const running = await start({ Login: login }, { logger });
    const controllers = ["1", "2"].map((pin) => askAndLeaveLater(running, pin));
    const leave = (): void => controllers.forEach((controller) => controller.abort());
    await leaveAndAnswer({ held, gone, leave, times: 2 });

    expect(await askInTurn(running, held, ["3", "4"])).toEqual([302, 429]);
    expect(failures).toEqual([]);
  });

  test("its place is free once the scheme is given up, which takes no longer than for clients that stay", async () => {
    const pin = createPinScheme();
    const running = await start({ Pin: pin });
    const controllers = pinsTo(3).map(() => askAndLeaveLater(running, endless));
    while (pin.asked < 3) await sleep(1);
    for (const controller of controllers) controller.abort();

    expect(await statusOf(running, right)).toBe(200);
  });

  test("the gateway closes all the same", async () => {
    const { scheme, held } = createSlowScheme();
    const { logger, gone, failures } = noteGone();
    const running = await start({ Slow: scheme }, { logger });
    const client = askAndLeaveLater(running, "wrong");
    while (held.length === 0) await sleep(1);
    client.abort();
    while (gone.length === 0) await sleep(1);
    await running.gateway.close();
    expect(held).toHaveLength(1);
    held[0]!();
    await sleep(1);
    expect(failures).toEqual([]);
  });

  test("a handshake of a WebSocket is a guess as any request is", async () => {
    const { scheme, held } = createSlowScheme();
    const { logger, gone } = noteGone();
    const running = await start({ Slow: scheme }, { logger }, { DownstreamScheme: "ws" });
    running.server.on("upgrade", upgradeThrough(running.gateway));
    const handshake = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
    const headers = { ...handshake, "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", "x-pin": "wrong" };
    const clients = pinsTo(3).map(() => http.get(`${running.origin}/x`, { headers }).on("error", () => undefined));
    const leave = (): void => clients.forEach((client) => client.destroy());
    await leaveAndAnswer({ held, gone, leave, times: 3 });

    expect(await statusOf(running, "right")).toBe(429);
  });

  test("a part of an aggregate is a guess as any request is", async () => {
    const { scheme, held } = createSlowScheme();
    const { logger, gone } = noteGone();
    const more = { Key: "x", DownstreamPathTemplate: "/x" };
    const Aggregates = [{ UpstreamPathTemplate: "/all", RouteKeys: ["x"] }];
    const running = await start({ Slow: scheme }, { logger }, more, { Aggregates });
    const clients = pinsTo(3).map(() => askAndLeaveLater(running, "wrong", {}, "/all"));
    const leave = (): void => clients.forEach((client) => client.abort());
    await leaveAndAnswer({ held, gone, leave, times: 3 });

    expect(await statusOf(running, "right")).toBe(429);
  });

  test("one that has left before its request comes to the gateway guesses nothing", async () => {
    const pin = createPinScheme();
    const inner = await start({ Pin: pin });
    const seen = { come: false, left: false };
    const app = express().use((_req, res, next) => {
      seen.come = true;
      res.on("close", () => {
        next();
        seen.left = true;
      });
    }, inner.gateway);
    const running = await serve(app, inner.gateway);
    ends.push(running.close);
    const client = askAndLeaveLater(running, "1");
    while (!seen.come) await sleep(1);
    client.abort();
    while (!seen.left) await sleep(1);

    expect(pin.asked).toBe(0);
    expect(await statusOf(inner, right)).toBe(200);
  });
});

test("a part of an aggregate that is judged before its values are known holds no place for a guess", async () => {
  const list = await startUpstream((req, res) => {
    res.setHeader("content-type", "application/json");
    res.end(req.url === "/ids" ? '[{ "id": 1 }, { "id": 2 }]' : "{}");
  });
  ends.push(list.close);
  const route = (Key: string, path: string, more: object = {}): object => ({
    Key,
    UpstreamPathTemplate: path,
    DownstreamPathTemplate: path,
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: list.port }],
    ...more,
  });
  const limited = {
    AuthenticationOptions: { AuthenticationProviderKey: "Pin" },
    RateLimitOptions: { Limit: 2, Period: "1h", By: "Identity", ClientWhitelist: ["ada"] },
  };
  const Routes = [route("ids", "/ids"), route("one", "/one/{id}", limited)];
  const RouteKeysConfig = [{ RouteKey: "one", JsonPath: "$[*].id", Parameter: "id" }];
  const Aggregates = [{ UpstreamPathTemplate: "/all", RouteKeys: ["ids", "one"], RouteKeysConfig }];
  const running = await startGateway({ Routes, Aggregates }, { authentication: { Pin: createPinScheme() } });
  ends.push(running.close);

  const askAll = (): Promise<Response> =>
    fetch(`${running.origin}/all`, { headers: { "x-pin": right }, signal: AbortSignal.timeout(10_000) });
  const answers = await Promise.all([askAll(), askAll(), askAll()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});

describe("as a guess counts", () => {
  test("what a scheme answers itself, such as a redirect to its login", async () => {
    const login = fromMiddleware(
      (req, res, next) => {
        if (req.headers["x-pin"] === right) next();
        else res.writeHead(302, { location: "/login" }).end();
      },
      () => ({ id: "ada", claims: {} }),
    );
    const running = await start({ Login: login });
    const statuses = [];
    for (const pin of ["1", "2", "3", "4", right]) statuses.push(await statusOf(running, pin));

    expect(statuses).toEqual([302, 302, 302, 429, 429]);
  });

  test("what one scheme has judged while another one fails, and nothing that only the other one could", async () => {
    const failing: Authenticator = Object.assign(() => Promise.reject(new Error("It is down.")), {
      reads: { headers: ["authorization"] },
    });
    const running = await start({ Tokens: failing, Pin: createPinScheme() });
    const statuses = [];
    for (let index = 0; index < 4; index += 1) {
      statuses.push(await statusOf(running, undefined, { authorization: "Bearer x" }));
    }
    for (const pin of ["1", "2", "3", right]) statuses.push(await statusOf(running, pin));

    expect(statuses).toEqual([503, 503, 503, 503, 503, 503, 503, 429]);
  });

  test("no preflight", async () => {
    const running = await start({ Pin: createPinScheme() });
    const preflight = { origin: "http://page.example", "access-control-request-method": "GET" };
    const statuses = [];
    for (let index = 0; index < 4; index += 1) statuses.push(await statusOf(running, undefined, preflight, "OPTIONS"));
    statuses.push(await statusOf(running, right));

    expect(statuses).toEqual([200, 200, 200, 429, 200]);
  });
});
