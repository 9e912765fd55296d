import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { type Authenticator, fromMiddleware, type GatewayOptions, memoryStore, type Store } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

let upstream: Upstream;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  upstream = await startUpstream();
});

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

afterAll(() => upstream.close());

/** A gateway whose route asks some schemes, and lets three be wrong in an hour. */
async function start(
  authentication: Readonly<Record<string, Authenticator>>,
  options: GatewayOptions = {},
): Promise<RunningGateway> {
  const route = {
    UpstreamPathTemplate: "/x",
    DownstreamPathTemplate: "/x",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
    AuthenticationOptions: { AuthenticationProviderKeys: Object.keys(authentication) },
    RateLimitOptions: { Limit: 3, Period: "1h", By: "Identity" },
  };
  const running = await startGateway({ Routes: [route] }, { authentication, ...options });
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

  test("do not hold up those who are recognised", async () => {
    const running = await start({ Pin: createPinScheme() }, { engine: create() });
    const statuses = await askAtOnce(running, Array<string>(12).fill(right));

    // Three of one identity, and then it has had its share.
    expect(statuses.sort()).toEqual([200, 200, 200, ...Array<number>(9).fill(429)]);
  });

  test("make room when their client leaves", async () => {
    const pin = createPinScheme();
    const running = await start({ Pin: pin }, { engine: create() });
    const controllers = Array.from({ length: 6 }, () => new AbortController());
    const leaving = controllers.map(({ signal }) =>
      fetch(`${running.origin}/x`, { signal, headers: { "x-pin": endless } }).catch(() => undefined),
    );
    while (pin.asked < 3) await sleep(1);
    for (const controller of controllers) controller.abort();
    await Promise.all(leaving);

    expect(await statusOf(running, right)).toBe(200);
  });
});

describe("those that wait for others", () => {
  /** A store that answers later, and tells how often it was asked. */
  function countedStore(): Store & { asked: number } {
    const store = distantStore();
    const counted = {
      timeout: 1_000,
      asked: 0,
      take(takings: Parameters<Store["take"]>[0]) {
        counted.asked += 1;
        return store.take(takings);
      },
    };
    return counted;
  }

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
      while (store.asked === asked) await sleep(1);
    }
    return { answers, leave: (index: number) => controllers[index]!.abort() };
  }

  /** A scheme that recognises everybody, when it is told to. */
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
