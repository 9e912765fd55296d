import { generateKeyPairSync, sign } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { exportJWK } from "jose";
import { jwtBearer } from "../../src/jwt.ts";
import { createGateway, parseConfig, type RequestObserver } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { createIssuerKey, type Issuer, type IssuerKey, startIssuer } from "./start-issuer.ts";

const ends: (() => unknown)[] = [];
let upstream: Upstream;
let one: IssuerKey;
let two: IssuerKey;
let three: IssuerKey;
let issuer: Issuer;
let ask: (token: string) => Promise<number>;

beforeAll(async () => {
  upstream = await startUpstream();
  [one, two, three] = await Promise.all([
    createIssuerKey("one", "ES256"),
    createIssuerKey("two", "ES256"),
    createIssuerKey("three", "ES256"),
  ]);
});
beforeEach(async () => {
  issuer = await startIssuer(one);
  ends.push(issuer.close);
  ask = await lock({ issuer: issuer.url, audience: "api" });
});
afterEach(async () => {
  jest.useRealTimers();
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => upstream.close());

async function lock(options: Parameters<typeof jwtBearer>[0]): Promise<typeof ask> {
  const Routes = [
    {
      UpstreamPathTemplate: "/",
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      AuthenticationOptions: { AuthenticationProviderKey: "Bearer" },
    },
  ];
  const authentication = { Bearer: jwtBearer(options) };
  const gateway = createGateway(parseConfig({ Routes }, { logger: false }), { authentication, logger: false });
  const { port, close } = await serve(gateway, gateway);
  ends.push(close);
  return async (token) => (await request({ port, path: "/", headers: { authorization: `Bearer ${token}` } })).status;
}

const minute = 60_000;
const hour = 60 * minute;
let counter = 0;
/** A token that was never seen, and is good for days. */
const fresh = (key = issuer.keys[0]!): Promise<string> =>
  issuer.sign({ sub: `user-${(counter += 1)}`, exp: Math.floor(Date.now() / 1_000) + 3 * 86_400 }, key);
const fetches = (): number => issuer.asked.filter((path) => path === "/jwks").length;

function fakeTime(): void {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
}

describe("Keys of an issuer", () => {
  test("are fetched again in the background every ten minutes, while tokens come", async () => {
    fakeTime();
    const before = [await fresh(), await fresh(), await fresh()];
    expect(await ask(before[0]!)).toBe(200);
    jest.advanceTimersByTime(5 * minute);
    expect(await ask(before[1]!)).toBe(200);
    issuer.keys.splice(0, 1, two);
    jest.advanceTimersByTime(5 * minute);
    while (fetches() < 2) await new Promise(setImmediate);
    // Another token is through only when the new keys are there.
    expect(await ask(await fresh())).toBe(200);
    expect(fetches()).toBe(2);
    expect([await ask(before[2]!), await ask(before[1]!)]).toEqual([401, 401]);
    const soFar = fetches();
    jest.advanceTimersByTime(11 * minute);
    while (fetches() === soFar) await new Promise(setImmediate);
  });

  test("are left alone while no token comes", async () => {
    fakeTime();
    expect(await ask(await fresh())).toBe(200);
    jest.advanceTimersByTime(10 * minute);
    while (fetches() < 2) await new Promise(setImmediate);
    // It is through when the keys have come for which nobody has asked.
    expect(await ask("a.b.c")).toBe(401);
    jest.advanceTimersByTime(hour);
    expect(await ask("a.b.c")).toBe(401);
    expect(fetches()).toBe(2);
  });

  test("are fetched before a token is taken for which nobody has asked for long", async () => {
    fakeTime();
    const taken = await fresh();
    expect(await ask(await fresh())).toBe(200);
    issuer.keys.splice(0, 1, two);
    jest.advanceTimersByTime(3 * hour);
    expect(await ask(taken)).toBe(401);
    expect(await ask(await fresh())).toBe(200);
  });

  test("go on for a day while it is away, and no longer; then it is back", async () => {
    fakeTime();
    expect(await ask(await fresh())).toBe(200);
    issuer.behaviour.answer = (req) => req.destroy();
    for (const later of [15 * minute, hour, 22 * hour]) {
      jest.advanceTimersByTime(later);
      expect(await ask(await fresh())).toBe(200);
      expect(await ask(await fresh())).toBe(200);
    }
    expect(await ask(await fresh(two))).toBe(503);
    jest.advanceTimersByTime(hour);
    expect(await ask(await fresh())).toBe(503);
    issuer.behaviour.answer = undefined;
    jest.advanceTimersByTime(minute);
    expect(await ask(await fresh())).toBe(200);
  });

  test("go on while it is slow, after a second", async () => {
    fakeTime();
    expect(await ask(await fresh())).toBe(200);
    const asked = new EventEmitter();
    issuer.behaviour.answer = () => asked.emit("asked");
    jest.advanceTimersByTime(hour);
    const isAsked = once(asked, "asked");
    const answer = ask(await fresh());
    await isAsked;
    jest.advanceTimersByTime(1_000);
    expect(await answer).toBe(200);
  });

  test("that never came are asked for three times in thirty seconds, whatever tokens come", async () => {
    fakeTime();
    issuer.behaviour.answer = (_req, res) => res.writeHead(500).end();
    const statuses = [];
    for (let count = 0; count < 8; count += 1) statuses.push(await ask(await fresh(three)));
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect(issuer.asked).toHaveLength(3);
    issuer.behaviour.answer = undefined;
    jest.advanceTimersByTime(31_000);
    expect(await ask(await fresh())).toBe(200);
  });

  test("are 503 where it is slow at the first token", async () => {
    fakeTime();
    const asked = new EventEmitter();
    issuer.behaviour.answer = () => asked.emit("asked");
    const isAsked = once(asked, "asked");
    const answer = ask(await fresh());
    await isAsked;
    jest.advanceTimersByTime(5_000);
    expect(await answer).toBe(503);
  });

  test("that changed while they were fetched are fetched once more", async () => {
    expect(await ask(await fresh())).toBe(200);
    const asked = new EventEmitter();
    let release: (() => void) | undefined;
    const old = JSON.stringify({ keys: [{ ...(await exportJWK(one.publicKey)), kid: "one" }] });
    const hold: RequestListener = (req, res) => {
      if (req.url !== "/jwks") {
        res.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` }));
        return;
      }
      release = () => res.end(old);
      issuer.behaviour.answer = undefined;
      asked.emit("asked");
    };
    issuer.behaviour.answer = hold;
    const isAsked = once(asked, "asked");
    const unknown = ask(await fresh(three));
    await isAsked;
    issuer.keys.push(two);
    const known = ask(await fresh(two));
    // The second request has come when the answer to one behind it has.
    expect(await ask("a.b.c")).toBe(401);
    release!();
    expect(await Promise.all([unknown, known])).toEqual([401, 200]);
  });

  test("may be several for tokens that name none", async () => {
    issuer.keys.push(two);
    const unnamed = (key: IssuerKey): Promise<string> => issuer.sign({}, key, { kid: undefined });
    expect([await ask(await unnamed(one)), await ask(await unnamed(two)), await ask(await unnamed(three))]).toEqual([
      200, 200, 401,
    ]);
  });
});

describe("What an issuer shows as its keys", () => {
  const show =
    (make: () => Promise<object> | object): RequestListener =>
    (req, res) => {
      if (req.url !== "/jwks") res.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` }));
      else void Promise.resolve(make()).then((document) => res.end(JSON.stringify(document)));
    };
  const publicKey = async (kid: string): Promise<object> => ({
    ...(await exportJWK(one.publicKey)),
    kid,
    alg: "ES256",
  });

  test.each<[string, () => Promise<object> | object, number]>([
    ["is taken", async () => ({ keys: [await publicKey("one")] }), 200],
    ["under another name is none of the token's", async () => ({ keys: [await publicKey("other")] }), 401],
    [
      "beside one that nobody can read is taken",
      async () => ({ keys: [{ kty: "RSA", n: { toString: 1 }, e: "AQAB" }, await publicKey("one")] }),
      200,
    ],
    [
      "beside entries that are no keys at all is taken",
      async () => ({ keys: [null, 1, "one", [], await publicKey("one"), null] }),
      200,
    ],
    ["for encryption is none", async () => ({ keys: [{ ...(await publicKey("one")), use: "enc" }] }), 401],
    [
      "with a private half is none",
      async () => ({ keys: [{ ...(await exportJWK(one.privateKey)), kid: "one" }] }),
      401,
    ],
    ["that is a secret is none", () => ({ keys: [{ kty: "oct", k: "c2VjcmV0", kid: "one", alg: "HS256" }] }), 401],
    ["as a hundred is taken", async () => ({ keys: await hundred() }), 200],
    ["as more than a hundred is not", async () => ({ keys: [...(await hundred()), await publicKey("x")] }), 503],
    ["in ten megabytes is not", async () => ({ keys: [await publicKey("one")], more: "x".repeat(10_000_000) }), 503],
    ["as a list of texts is not", () => ({ keys: ["one"] }), 503],
    ["as a list of null is not", () => ({ keys: [null, null] }), 503],
    ["as nothing is not", () => ({}), 503],
  ])("%s", async (_title, make, status) => {
    issuer.behaviour.answer = show(make);
    expect(await ask(await fresh())).toBe(status);
  });

  test.each([
    ["modulus", "n", 3_000],
    ["exponent", "e", 120_000],
  ])("of RSA with a very long %s take no time, and are none", async (_name, member, bytes) => {
    const { publicKey: key } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    const long = {
      ...key.export({ format: "jwk" }),
      kid: "long",
      [member]: Buffer.alloc(bytes, 0xfd).toString("base64url"),
    };
    issuer.behaviour.answer = show(async () => ({ keys: [long, await publicKey("one")] }));
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const exp = Math.floor(Date.now() / 1_000) + 60;
    const token = `${encode({ alg: "RS256", kid: "long" })}.${encode({ iss: issuer.url, aud: "api", exp })}.AAAA`;
    const { user: before } = process.cpuUsage();
    expect(await ask(token)).toBe(401);
    expect(process.cpuUsage().user - before).toBeLessThan(300_000);
    expect(await ask(await fresh())).toBe(200);
  });

  async function hundred(): Promise<object[]> {
    return Promise.all([publicKey("one"), ...Array.from({ length: 99 }, (_, index) => publicKey(String(index)))]);
  }

  test.each([
    [1_024, 401],
    [2_048, 200],
  ])("for RSA of %d bits", async (modulusLength, status) => {
    const pair = generateKeyPairSync("rsa", { modulusLength });
    issuer.behaviour.answer = show(() => ({ keys: [{ ...pair.publicKey.export({ format: "jwk" }), kid: "rsa" }] }));
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const exp = Math.floor(Date.now() / 1_000) + 60;
    const text = `${encode({ alg: "RS256", kid: "rsa" })}.${encode({ iss: issuer.url, aud: "api", exp })}`;
    const signature = sign("sha256", Buffer.from(text), pair.privateKey).toString("base64url");
    expect(await ask(`${text}.${signature}`)).toBe(status);
    const folder = mkdtempSync(join(tmpdir(), "waymark-keys-"));
    ends.push(() => rmSync(folder, { recursive: true }));
    const keyFile = join(folder, "public.pem");
    writeFileSync(keyFile, pair.publicKey.export({ format: "pem", type: "spki" }));
    const start = (): unknown => jwtBearer({ issuer: "me", audience: "api", keyFile });
    if (status === 200) expect(start()).toBeInstanceOf(Function);
    else expect(start).toThrow("An RSA key of 1024 bits is too short: 2048 are needed.");
  });
});

test("that cannot be had are told of as long as they are missed: to observers, and in health()", async () => {
  const changes: string[] = [];
  const config = (audience: string) => {
    const scheme = { Type: "Jwt", Issuer: issuer.url, Audience: audience };
    const route = {
      UpstreamPathTemplate: "/",
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      AuthenticationOptions: { AuthenticationProviderKey: "Login" },
    };
    return parseConfig(
      { Routes: [route], GlobalConfiguration: { AuthenticationSchemes: { Login: scheme } } },
      { logger: false },
    );
  };
  const observer: RequestObserver = {
    begin: () => undefined,
    changed: ({ kind, name, state }) => changes.push(`${kind} ${name} ${state}`),
  };
  const gateway = createGateway(config("api"), { logger: false, observers: [observer] });
  const { port, close } = await serve(gateway, gateway);
  ends.push(close);
  const askNow = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${await fresh()}` };
    return (await request({ port, path: "/", headers })).status;
  };
  issuer.behaviour.answer = (req) => req.destroy();
  expect([await askNow(), await askNow()]).toEqual([503, 503]);
  expect(gateway.health().degraded).toEqual(["keys Login"]);
  issuer.behaviour.answer = undefined;
  expect(await askNow()).toBe(200);
  expect(gateway.health().degraded).toEqual([]);
  // A scheme that is not there any more misses nothing.
  await gateway.reload(config("other"));
  issuer.behaviour.answer = (req) => req.destroy();
  expect(await askNow()).toBe(503);
  expect(gateway.health().degraded).toEqual(["keys Login"]);
  await gateway.reload(config("third"));
  expect(gateway.health().degraded).toEqual([]);
  expect(changes).toEqual(["keys Login away", "keys Login there", "keys Login away", "keys Login there"]);
});
