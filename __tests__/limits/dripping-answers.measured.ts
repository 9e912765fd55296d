import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import express from "express";
import { createGateway, parseConfig } from "../../src/index.ts";
import { openApiDocuments } from "../../src/openapi.ts";
import { machineSlowness } from "../helpers/machine-slowness.ts";
import { request } from "../helpers/send-raw.ts";
import { serve, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { type Drip, startDripping } from "./start-dripping.ts";

const milliseconds = 4_000;
// Alone on a machine, nine of ten take less than 15, and the longest 150.
const usual = 30;
const longest = 600;

const closing: (() => Promise<unknown>)[] = [];
let upstream: Upstream;
beforeAll(async () => void (upstream = await startUpstream()));
afterAll(() => upstream.close());
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Asked = Readonly<{
  drip: Drip;
  /** A configuration where everything is asked at that port. */
  config: (port: number) => object;
  /** What makes the gateway ask. */
  paths: readonly string[];
  headers?: Record<string, string>;
}>;

const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const short = { head, piece: "1\r\n \r\n", times: 60_000 };
const long = { head, piece: "1\r\n \r\n", times: 1_000_000 };
const interims = { head: "", piece: "HTTP/1.1 103 A\r\n\r\n", times: 1_000_000 };

const names = Array.from({ length: 100 }, (_, index) => `service-${index}`);
const some = names.slice(0, 20);

const rows: readonly (Asked & Readonly<{ about: string }>)[] = [
  { about: "Consul about a hundred services", drip: short, ...ofServices("Consul") },
  { about: "Kubernetes about a hundred services", drip: short, ...ofServices("Kube") },
  { about: "Eureka about a hundred services", drip: short, ...ofServices("Eureka") },
  { about: "Eureka about a hundred services, at length", drip: long, ...ofServices("Eureka") },
  { about: "issuers, behind interim answers without end", drip: interims, ...ofIssuers() },
  { about: "services about their documents", drip: long, ...ofDocuments() },
];

test.each(rows)(
  "answers in small pieces of $about keep no request waiting",
  async ({ drip, config, paths, headers = {} }) => {
    const dripping = await startDripping(drip);
    closing.push(dripping.close);
    const target = { Host: "127.0.0.1", Port: upstream.port };
    const others = await startGateway({ Routes: [{ ...routeAt("/"), DownstreamHostAndPorts: [target] }] });
    closing.push(others.close);
    for (let count = 0; count < 200; count += 1) await ask(others.port);
    const gateway = createGateway(parseConfig(config(dripping.port), { logger: false }), { logger: false });
    const { port, close } = await serve(express().use("/swagger", openApiDocuments(gateway)).use(gateway), gateway);
    closing.push(close);
    const asked = Promise.allSettled(paths.map((path) => request({ port, path, headers })));
    const times: number[] = [];
    const end = performance.now() + milliseconds;
    while (performance.now() < end) {
      times.push(await ask(others.port));
      await wait(2);
    }
    await Promise.all([dripping.close(), gateway.close({ grace: 0 }), asked]);
    times.sort((one, other) => one - other);
    const slowness = machineSlowness();
    expect(times[Math.floor(times.length * 0.9)]).toBeLessThan(usual * slowness);
    expect(times.at(-1)).toBeLessThan(longest * slowness);
  },
);

async function ask(port: number): Promise<number> {
  const begun = performance.now();
  expect((await request({ port, path: "/" })).status).toBe(200);
  return performance.now() - begun;
}

function routeAt(path: string): object {
  return { UpstreamPathTemplate: path, DownstreamPathTemplate: "/" };
}

function ofServices(Type: string): Pick<Asked, "config" | "paths"> {
  const config = (Port: number): object => ({
    Routes: names.map((ServiceName) => ({ ...routeAt(`/${ServiceName}`), ServiceName })),
    GlobalConfiguration: { ServiceDiscoveryProvider: { Type, Scheme: "http", Host: "127.0.0.1", Port } },
  });
  return { config, paths: names.map((name) => `/${name}`) };
}

function ofIssuers(): Pick<Asked, "config" | "paths" | "headers"> {
  const parts = [{ alg: "RS256", kid: "a", typ: "at+jwt" }, { iss: "a", sub: "a", aud: "a", exp: 9_999_999_999 }, {}];
  const token = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const config = (Port: number): object => ({
    Routes: some.map((AuthenticationProviderKey) => ({
      ...routeAt(`/${AuthenticationProviderKey}`),
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port }],
      AuthenticationOptions: { AuthenticationProviderKey },
    })),
    GlobalConfiguration: {
      AuthenticationSchemes: Object.fromEntries(
        some.map((name) => [
          name,
          { Type: "Jwt", Issuer: "a", Audience: "a", JwksUri: `http://127.0.0.1:${Port}/jwks` },
        ]),
      ),
    },
  });
  return { config, paths: some.map((name) => `/${name}`), headers: { authorization: `Bearer ${token}` } };
}

function ofDocuments(): Pick<Asked, "config" | "paths"> {
  const config = (Port: number): object => ({
    Routes: some.map((SwaggerKey) => ({
      ...routeAt(`/${SwaggerKey}`),
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port }],
      SwaggerKey,
    })),
    SwaggerEndPoints: some.map((Key) => ({
      Key,
      Config: [{ Name: Key, Version: "v1", Url: `http://127.0.0.1:${Port}/openapi.json` }],
    })),
  });
  return { config, paths: some.map((name) => `/swagger/docs/v1/${name}`) };
}
