import { EventEmitter } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import express from "express";
import {
  createAnswer,
  createGateway,
  type DelegatingHandler,
  type Engine,
  type GatewayOptions,
  parseConfig,
  problemDetails,
} from "../../src/index.ts";
import { refuseBody } from "../../src/bodies/with-code/refuse-body.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { type Disturbances, watchProcess } from "../helpers/watch-process.ts";

let disturbances: Disturbances;
beforeEach(() => void (disturbances = watchProcess()));

const running: RunningGateway[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()));
  disturbances.stop();
});

const head = { status: 200, statusText: "OK" };
const plain = { "content-type": "text/plain" };

function engineWith(body: unknown): Engine {
  const answer = { ...head, rawHeaders: ["content-type", "text/plain"], body, trailers: () => [] };
  return { forward: () => Promise.resolve(answer as never), close: () => Promise.resolve() };
}

/** A handler in JavaScript may answer by an object of its own. */
function handlerWith(body: unknown): DelegatingHandler {
  return () => Promise.resolve({ ...head, headers: plain, body } as never);
}

type Sources = Readonly<{ engine?: Engine; handlers?: DelegatingHandler[] }>;

async function ask({ engine, handlers }: Sources, path: string): Promise<string> {
  const route = (key: string, more: object) => ({
    Key: key,
    UpstreamPathTemplate: `/${key}`,
    DownstreamPathTemplate: "/",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }],
    ...more,
  });
  const config = {
    Routes: [route("route", {}), route("cached", { CacheOptions: { TtlSeconds: 5 } })],
    Aggregates: [{ UpstreamPathTemplate: "/whole", RouteKeys: ["route", "cached"] }],
  };
  const options: GatewayOptions = { logger: false, ...(engine && { engine }), ...(handlers && { handlers }) };
  const gateway = createGateway(parseConfig(config, { logger: false }), options);
  const app = express()
    .use(gateway)
    .use(problemDetails({ logger: false }));
  running.push(await serve(app, gateway));
  const answer = await fetch(`${running.at(-1)!.origin}${path}`);
  const text = await answer.text();
  return answer.status === 200 ? text : `${answer.status} ${(JSON.parse(text) as { code: string }).code}`;
}

/** A body that fails once it was refused. */
function failingLater(kind: "emitter" | "promise" | "thenable"): { body: unknown; fail: () => void } {
  const emitter = new EventEmitter();
  const { promise, reject } = Promise.withResolvers<never>();
  const fail = (): void => (kind === "emitter" ? void emitter.emit("error", late) : reject(late));
  // Promises of libraries hold one of Node's, which they show to whoever listens.
  const then = (...listeners: Parameters<typeof promise.then>): unknown => promise.then(...listeners);
  return { body: { emitter, promise, thenable: { then } }[kind], fail };
}

const late = new Error("too late");
const misuse = "500 handler-misuse";
const wrong = [
  ["undefined", undefined],
  ["a number", 1],
  ["a stream of the web", new Response("text").body],
  ["an object", {}],
  ["a text", "text"],
  ["bytes", Buffer.from("text")],
  ["nothing", null],
] as const;

describe.each([["/route"], ["/cached"], ["/whole"]])("the body of an answer at %s", (path) => {
  test.each(wrong)("%s of an engine is an error that says so", async (_kind, body) => {
    expect(await ask({ engine: engineWith(body) }, path)).toBe(path === "/whole" ? "500 part-failed" : misuse);
  });

  test.each(wrong)("%s in an object of a handler's own is an error that says so", async (_kind, body) => {
    const handlers = [handlerWith(body)];
    expect(await ask({ handlers }, path)).toBe(path === "/whole" ? "500 part-failed" : misuse);
  });
});

test.each([
  ["a text", "text"],
  ["a Buffer", Buffer.from("text")],
  ["null", null],
])("%s in an object of a handler's own is told to need createAnswer()", (kind, body) => {
  expect(refuseBody(body).message).toContain(
    `is ${kind}, and can only be a Readable there. Make the answer with createAnswer(`,
  );
});

type Giver = (body: never) => Sources;

const givers: readonly [name: string, give: Giver][] = [
  ["of an engine", (body) => ({ engine: engineWith(body) })],
  ["in an object of a handler's own", (body) => ({ handlers: [handlerWith(body)] })],
  ["of an answer that a handler makes", (body) => ({ handlers: [async () => createAnswer({ status: 200, body })] })],
  ["of a request", (body) => ({ handlers: [(outgoing, next) => ((outgoing.body = body), next())] })],
];
const fallible = (["emitter", "promise", "thenable"] as const).flatMap((kind) =>
  givers
    // Of an answer that a handler gives, whatever emits is a stream.
    .filter(([name]) => kind !== "emitter" || name === "of an engine" || name === "of a request")
    .map(([name, give]) => [kind, name, give] as const),
);

test.each(fallible)("the %s %s that was refused as a body may fail later", async (kind, _name, give) => {
  const { body, fail } = failingLater(kind);
  expect(await ask(give(body as never), "/route")).toBe(misuse);
  fail();
  await nextTurn();
  expect(disturbances.take()).toEqual([]);
});

test("the same emitter may be refused again and again", async () => {
  const emitter = new EventEmitter();
  for (let count = 0; count < 12; count += 1) expect(await ask({ engine: engineWith(emitter) }, "/route")).toBe(misuse);
  expect(emitter.listenerCount("error")).toBe(1);
});
