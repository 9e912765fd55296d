import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, test } from "@jest/globals";
import {
  createGateway,
  type DelegatingHandler,
  GatewayError,
  type Logger,
  parseConfig,
  problemDetails,
} from "../../src/index.ts";
import { serve } from "../helpers/start-gateway.ts";

test.each([
  ["an error that nobody expected", new Error("boom"), 500, ["A handler failed."]],
  [
    "one that says it is the server's fault",
    Object.assign(new Error("boom"), { status: 503 }),
    503,
    ["A handler failed."],
  ],
  ["one that is the client's fault", Object.assign(new Error("bad"), { status: 400 }), 400, []],
  ["one of a gateway, which has logged it", new GatewayError("closing", "The gateway is closing."), 503, []],
])("%s is told to the logger as it should be", async (_reason, thrown, status, messages) => {
  const logged: string[] = [];
  const note = (_fields: object, message: string): void => void logged.push(message);
  const logger: Logger = { error: note, warn: note, info: note, debug: note };
  const app = express();
  app.get("/", () => {
    throw thrown;
  });
  app.use(problemDetails({ logger }));
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect({ status: response.status, logged }).toEqual({ status, logged: messages });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

/** What the logger of a gateway, and the one of its error handler, are told of a request. */
async function hearOf(handler: DelegatingHandler): Promise<unknown[]> {
  const logged: unknown[] = [];
  const note = (fields: object, message: string): void => void logged.push({ ...fields, message });
  const logger: Logger = { error: note, warn: note, info: note, debug: note };
  const route = { Key: "orders", UpstreamPathTemplate: "/", DownstreamPathTemplate: "/" };
  const config = { Routes: [{ ...route, DownstreamHostAndPorts: [{ Host: "localhost", Port: 1 }] }] };
  const gateway = createGateway(parseConfig(config, { logger: false }), { logger, handlers: [handler] });
  const { origin, close } = await serve(express().use(gateway).use(problemDetails({ logger })), gateway);
  await fetch(origin);
  await close();
  return logged;
}

test("a failing handler of a gateway is told together with its route", async () => {
  const boom = new Error("boom");
  expect(await hearOf(() => Promise.reject(boom))).toEqual([
    { route: "orders", err: boom, message: "A handler failed." },
  ]);
});

test.each([
  [undefined, "undefined"],
  [null, "null"],
  ["hello", "a string"],
  [{}, "an object without a status"],
])("a handler that returns %j is told what to return", async (given, what) => {
  const remedy = "expected an answer: return what next() gives, or createAnswer({ status: 200, body: … }).";
  const told = { route: "orders", code: "handler-misuse", status: 500 };
  const forgetful = (() => given) as unknown as DelegatingHandler;
  expect(await hearOf(forgetful)).toEqual([
    { ...told, message: `The delegating handler "forgetful" of route "orders" returned ${what}; ${remedy}` },
  ]);
  expect(await hearOf((() => given) as unknown as DelegatingHandler)).toEqual([
    { ...told, message: `A delegating handler of route "orders" returned ${what}; ${remedy}` },
  ]);
});
