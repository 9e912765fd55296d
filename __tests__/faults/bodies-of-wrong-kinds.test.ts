import { afterEach, describe, expect, test } from "@jest/globals";
import express from "express";
import {
  createGateway,
  type DelegatingHandler,
  type Engine,
  type GatewayOptions,
  parseConfig,
  problemDetails,
} from "../../src/index.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";

const running: RunningGateway[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()));
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
