import { PassThrough, Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import express from "express";
import { createGateway, type DelegatingHandler, parseConfig, problemDetails } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { configOf, startHost, type ToldHost } from "./start-hosts.ts";

let hosts: ToldHost[];
let running: RunningGateway;

beforeAll(async () => {
  hosts = await Promise.all([startHost("a"), startHost("b")]);
});
afterEach(() => running.close());
afterAll(() => Promise.all(hosts.map(({ close }) => close())));

/** What nobody may note anything on. */
const frozen = Object.freeze(new Error("frozen"));
/** What the service from which a body should come fails with while it is away. */
const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

const failures: readonly Readonly<{ title: string; failure: unknown }>[] = [
  { title: "because its own source refuses connections", failure: refused },
  { title: "with an error that cannot be extended", failure: frozen },
  { title: "with a code that undici gives", failure: Object.freeze({ code: "UND_ERR_INVALID_ARG" }) },
  { title: "with a text", failure: "text" },
];

const ways: Readonly<Record<string, (failure: Error) => Readable>> = {
  "before it is sent": (failure) => new PassThrough().destroy(failure),
  "before its first byte": (failure) => {
    const stream = new PassThrough();
    setTimeout(() => stream.destroy(failure), 20);
    return stream;
  },
  "as it is read": (failure) => failingAfter([], failure),
  "after a first piece": (failure) => failingAfter(["first"], failure),
};

function failingAfter(pieces: string[], failure: Error): Readable {
  return new Readable({
    read() {
      const piece = pieces.shift();
      if (piece === undefined) this.destroy(failure);
      else this.push(piece);
    },
  });
}

const cases = failures.flatMap((failure) => Object.keys(ways).map((way) => ({ ...failure, way })));

describe.each(engines)("the body that a handler gives fails: $name", ({ create }) => {
  test.each(cases)("$title, $way: no host is blamed, and no other one asked", async ({ failure, way }) => {
    const spoil: DelegatingHandler = (outgoing, next, { req }) => {
      if (req.method === "POST") outgoing.body = ways[way]!(failure as Error);
      return next();
    };
    running = await startWith(spoil, create());
    // The second and the third of them go over a kept connection.
    const answers: string[] = [];
    for (const method of ["POST", "GET", "GET", "POST", "POST", "POST", "GET", "GET"]) answers.push(await ask(method));
    expect(answers.map((text) => text.replace(/^[ab]$/, "host"))).toEqual([
      "500",
      "host",
      "host",
      "500",
      "500",
      "500",
      "host",
      "host",
    ]);
    expect(new Set(answers)).toEqual(new Set(["500", "a", "b"]));
    expect(running.gateway.health().degraded).toEqual([]);
  });
});

async function startWith(
  handler: DelegatingHandler,
  engine: ReturnType<(typeof engines)[number]["create"]>,
): Promise<RunningGateway> {
  const route = { QoSOptions: { MinimumThroughput: 2, BreakDuration: 60_000 } };
  const gateway = createGateway(parseConfig(configOf(hosts, route), { logger: false }), {
    engine,
    logger: false,
    handlers: [handler],
  });
  return serve(
    express()
      .use(gateway)
      .use(problemDetails({ logger: false })),
    gateway,
  );
}

async function ask(method: string): Promise<string> {
  const answer = await fetch(`${running.origin}/x`, { method, signal: AbortSignal.timeout(5_000) });
  const text = await answer.text();
  return answer.status === 200 ? text : String(answer.status);
}
