import { afterEach, describe, expect, test } from "@jest/globals";
import {
  accessLog,
  type DelegatingHandler,
  type GatewayHandler,
  type GatewayOptions,
  type RequestObserver,
} from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

type Line = Readonly<{ path: string; target?: string; status: number; error?: string; mountPath: string }>;

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A gateway with one route; `ask` resolves to the line about the request, its target without the origin. */
async function setScene(route: object, options: GatewayOptions = {}) {
  const upstream = await startUpstream((req, res) => void req.resume().on("end", () => res.end("hello")));
  const lines: Line[] = [];
  let tell = (): void => undefined;
  const log = accessLog({
    info(fields) {
      lines.push(fields as Line);
      tell();
    },
  });
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: upstream.port }];
  const gateway = await startGateway(
    { Routes: [{ DownstreamHostAndPorts, ...route }] },
    { ...options, observers: [log, ...(options.observers ?? [])] },
  );
  closers.push(gateway.close, upstream.close);
  return { upstream, gateway, ask };

  async function ask(path: string, headers: Record<string, string> = {}): Promise<Line> {
    await request({ port: gateway.port, path, headers });
    while (lines.length === 0) await new Promise<void>((resolve) => (tell = resolve));
    const { target, ...line } = lines.shift()!;
    return target === undefined ? line : { ...line, target: target.replace(upstream.origin, "") };
  }
}

const reset = { UpstreamPathTemplate: "/reset/{token}", DownstreamPathTemplate: "/r/{token}" };

describe.each(engines)("a value that a client chose, $name", ({ create }) => {
  test.each([1, 5_000, 6_300, 8_100])("of %d characters is masked, and harms nobody", async (length) => {
    const { ask } = await setScene(reset, { engine: create() });
    const line = await ask(`/reset/${"k".repeat(length)}`);
    expect([line.path, line.target, line.status]).toEqual(["/reset/***", "/r/***", 200]);
  });

  test.each<[string, unknown, string]>([
    ["undefined", undefined, "/r/"],
    ["null", null, "/r/"],
    ["a number", 12, "/r/12"],
    ["a truth value", true, "/r/true"],
    ["a big integer", 10n, "/r/10"],
  ])("that middleware sets to %s is read as a text", async (_kind, value, sent) => {
    const assign: GatewayHandler = (_req, res, next) => {
      (res.locals.placeholders as Record<string, unknown>).token = value;
      next();
    };
    const template = { UpstreamPathTemplate: "/reset/{token}/x", DownstreamPathTemplate: "/r/{token}" };
    const { ask, upstream } = await setScene(template, { engine: create(), middleware: [assign] });
    const line = await ask("/reset/s3cr3t-value/x");
    expect(upstream.requests.map(({ target }) => target)).toEqual([sent === "/r/" ? "/r" : sent]);
    expect([line.path, line.status]).toEqual(["/reset/***/x", 200]);
    expect(line.target).toBe(sent === "/r/" ? "/r" : "/r/***");
  });

  test.each<[string, unknown]>([
    ["an object", { toString: () => "x" }],
    ["a symbol", Symbol("x")],
    ["a function", () => "x"],
  ])("that middleware sets to %s is a mistake with a name", async (_kind, value) => {
    const assign: GatewayHandler = (_req, res, next) => {
      (res.locals.placeholders as Record<string, unknown>).token = value;
      next();
    };
    const { ask } = await setScene(reset, { engine: create(), middleware: [assign] });
    expect(await ask("/reset/s3cr3t-value")).toMatchObject({
      status: 500,
      error: "handler-misuse",
      path: "/reset/***",
    });
  });
});

test("a placeholder with an accessor that throws is a failure of the request, and its record is made", async () => {
  const assign: GatewayHandler = (_req, res, next) => {
    Object.defineProperty(res.locals.placeholders, "token", {
      get() {
        throw new Error("no");
      },
    });
    next();
  };
  const { ask } = await setScene(reset, { middleware: [assign] });
  expect(await ask("/reset/s3cr3t-value")).toMatchObject({ status: 500, path: "/reset/***" });
});

test("an observer that fails later on is logged, and ends nothing", async () => {
  const messages: string[] = [];
  const note = (_fields: object, message: string): void => void messages.push(message);
  const observer: RequestObserver = { begin: () => ({ ended: () => Promise.reject(new Error("no")) as never }) };
  const logger = { error: note, warn: () => undefined, info: () => undefined, debug: () => undefined };
  const { ask } = await setScene(reset, { observers: [observer], logger });
  await ask("/reset/1");
  expect(await ask("/reset/2")).toMatchObject({ status: 200 });
  expect(messages[0]).toBe("An observer failed; requests go on.");
});

test.each<[reason: string, route: object, asked: string, path: string, target: string]>([
  [
    "a short value masks its own place only",
    { UpstreamPathTemplate: "/countries/{code}", DownstreamPathTemplate: "/es/{code}/countries" },
    "/countries/es?languages=es",
    "/countries/***?languages=es",
    "/es/***/countries?languages=es",
  ],
  [
    "what the naming service reads is no secret",
    { UpstreamPathTemplate: "/v1/{partitionKey}", DownstreamPathTemplate: "/v1/1/{partitionKey}" },
    "/v1/1?PartitionKey=1",
    "/v1/1?PartitionKey=1",
    "/v1/1/1?PartitionKey=1",
  ],
  [
    "a word of the template is nobody's value",
    { UpstreamPathTemplate: "/users/{key}", DownstreamPathTemplate: "/users/{key}/users" },
    "/users/users",
    "/users/***",
    "/users/***/users",
  ],
  [
    "literals around a value stay",
    { UpstreamPathTemplate: "/f/report-{token}.pdf", DownstreamPathTemplate: "/f/{token}.pdf" },
    "/f/report-ab.pdf",
    "/f/report-***.pdf",
    "/f/***.pdf",
  ],
  ["a value with slashes is masked to its end", reset, "/reset/ab/cd/%2e?x=1", "/reset/***?x=1", ""],
  [
    "a value that stands elsewhere too is masked there",
    { UpstreamPathTemplate: "/by/{token}/{rest}", DownstreamPathTemplate: "/{rest}" },
    "/by/k1-secret/x/K1%2Dsecret?again=k1-secret&more=xk1-secretx",
    "/by/***/x/***?again=***&more=x***x",
    "/x/***?again=***&more=x***x",
  ],
  [
    "a parameter with a telling name makes its placeholder a secret",
    { UpstreamPathTemplate: "/by?token={t}", DownstreamPathTemplate: "/t/{t}" },
    "/by?token=k1",
    "/by?token=***",
    "/t/***?token=***",
  ],
  [
    "and so does the parameter that takes it",
    { UpstreamPathTemplate: "/by/{t}", DownstreamPathTemplate: "/t?apikey={t}" },
    "/by/k1",
    "/by/***",
    "/t?apikey=***",
  ],
  [
    "a whole query with a telling name",
    { UpstreamPathTemplate: "/by?{keys}", DownstreamPathTemplate: "/t?{keys}" },
    "/by?a=k1&k2",
    "/by?***",
    "/t?***",
  ],
  [
    "a parameter within a parameter",
    { UpstreamPathTemplate: "/by", DownstreamPathTemplate: "/t" },
    "/by?to=/a?token=k1&next=https%3A%2F%2Fa%2F%3Fcode%3Dk1&page=2",
    "/by?to=/a?token=***&next=***&page=2",
    "/t?to=/a?token=***&next=***&page=2",
  ],
  [
    "a value of the service name",
    { ...reset, DownstreamPathTemplate: "/{token}" },
    "/reset/a%20b",
    "/reset/***",
    "/***",
  ],
])("%s", async (_reason, route, asked, path, target) => {
  const { ask } = await setScene(route);
  const line = await ask(asked);
  expect([line.path, line.target ?? ""]).toEqual([path, target]);
});

test("a header with a telling name makes its placeholder a secret", async () => {
  const { ask } = await setScene({
    UpstreamPathTemplate: "/by",
    UpstreamHeaderTemplates: { "X-Api-Key": "{k}" },
    DownstreamPathTemplate: "/t/{k}?k={k}",
  });
  const line = await ask("/by", { "X-Api-Key": "\xe9 7/" });
  expect(line.target).toBe("/t/***?k=***");
});

test.each<[string, (value: string) => string, string]>([
  ["as it is", (value) => `/new/${value}/x`, "/new/***/x"],
  ["encoded", (value) => `/new?q=${encodeURIComponent(value)}`, "/new?q=***"],
  ["encoded twice", (value) => `/new?q=${encodeURIComponent(encodeURIComponent(value))}`, "/new?q=***"],
  ["every byte encoded", (value) => `/new/${percentEncode(value)}`, "/new/***"],
  ["in capitals", (value) => `/new/${value.toUpperCase()}`, "/new/***"],
  ["within other text", (value) => `/new/a${value}b`, "/new/a***b"],
])("a value that a handler moved %s is masked", async (_spelling, move, target) => {
  const handler: DelegatingHandler = (outgoing, next, { placeholders }) => {
    outgoing.path = move(placeholders.token!);
    return next();
  };
  const { ask } = await setScene(reset, { handlers: [handler] });
  expect(await ask("/reset/s3cr3t+%C3%A9(1)")).toMatchObject({ path: "/reset/***", target });
});

test.each(["k", "ke", "key"])(
  "a short value %s that a handler moved is masked where it is a whole piece",
  async (value) => {
    const handler: DelegatingHandler = (outgoing, next, { placeholders }) => {
      outgoing.path = `/keyed/${placeholders.token!}/monkeys?is=${placeholders.token!}`;
      return next();
    };
    const { ask } = await setScene(reset, { handlers: [handler] });
    expect((await ask(`/reset/${value}`)).target).toBe("/keyed/***/monkeys?is=***");
  },
);

function percentEncode(text: string): string {
  const bytes = Buffer.from(decodeURIComponent(text), "utf8");
  return bytes.toString("hex").replace(/../g, "%$&");
}
