import type { RequestListener } from "node:http";
import { expect } from "@jest/globals";
import express from "express";
import {
  createGateway,
  type Gateway,
  type GatewayHandler,
  type GatewayOptions,
  parseConfig,
  problemDetails,
} from "../../src/index.ts";
import { openApiDocuments, type OpenApiDocumentsOptions } from "../../src/openapi.ts";
import { serve, type RunningGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

/** A service whose document may be replaced, and gateways in front of it, one after the other at one address. */
export type Scene = Readonly<{
  service: Upstream;
  origin: string;
  /** What the service answers where its document is. */
  say: (answer: Answer) => void;
  /** Makes a gateway of routes to the service, and closes the one before. */
  use: (config: object, options?: GatewayOptions, own?: OwnOptions) => Promise<Gateway>;
  get: (path: string, headers?: Record<string, string>) => Promise<Got>;
  close: () => Promise<void>;
}>;

/** What the documents are shown with, and what stands in front of them. */
type OwnOptions = OpenApiDocumentsOptions & Readonly<{ before?: GatewayHandler }>;

/** A document, or the whole answer of the service. */
export type Answer = object | string | RequestListener;

/** JSON of any form. */
export type Parsed = ReturnType<typeof JSON.parse>;

export type Got = Readonly<{ status: number; headers: Headers; text: string; json: Parsed }>;

/** Where the service has its document. */
export const documentPath = "/openapi.json";

export async function startScene(): Promise<Scene> {
  let answer: Answer = {};
  const service = await startUpstream((req, res) => {
    if (typeof answer === "function" && (req.url ?? "").startsWith(documentPath)) answer(req, res);
    else if (req.url === documentPath) res.end(typeof answer === "string" ? answer : JSON.stringify(answer));
    else req.on("end", () => res.end(`${req.method} ${req.url}`)).resume();
  });
  let app: RequestListener | undefined;
  let gateway: Gateway | undefined;
  const closing = { close: async () => gateway?.close({ grace: 0 }) } as Gateway;
  const running: RunningGateway = await serve((req, res) => app!(req, res), closing);
  return { service, origin: running.origin, say: (next) => void (answer = next), use, get, close };

  async function use(
    config: object,
    options: GatewayOptions = {},
    { before = (_req, _res, next) => next(), ...own }: OwnOptions = {},
  ): Promise<Gateway> {
    await gateway?.close({ grace: 0 });
    gateway = createGateway(parseConfig(config, { logger: false }), { logger: false, ...options });
    app = express().use(before).use("/swagger", openApiDocuments(gateway, own)).use(gateway).use(problemDetails());
    return gateway;
  }

  async function get(path: string, headers: Record<string, string> = {}): Promise<Got> {
    const response = await fetch(`${running.origin}${path}`, { headers, redirect: "manual" });
    const text = await response.text();
    const isJson = (response.headers.get("content-type") ?? "").includes("json");
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  }

  async function close(): Promise<void> {
    await running.close();
    await service.close();
  }
}

/** A configuration whose routes lead to the service, and that says where its document is. */
export function configOf(service: Upstream, routes: readonly object[], endpoint: object = {}): object {
  const common = {
    SwaggerKey: "shop",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: service.port }],
  };
  return {
    Routes: routes.map((route) => ({ ...common, ...route })),
    SwaggerEndPoints: [
      { Key: "shop", Config: [{ Name: "Shop", Version: "v1", Url: service.origin + documentPath }], ...endpoint },
    ],
  };
}

/** A configuration of two services: the routes of the one, and those of the other. */
export function configOfTwo(service: Upstream, routes: readonly object[], others: readonly object[]): object {
  const common = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: service.port }] };
  const address = service.origin + documentPath;
  return {
    Routes: [
      ...routes.map((route) => ({ ...common, SwaggerKey: "shop", ...route })),
      ...others.map((route) => ({ ...common, SwaggerKey: "other", ...route })),
    ],
    SwaggerEndPoints: [
      { Key: "shop", Config: [{ Name: "Shop", Url: `${address}?shop` }] },
      { Key: "other", Config: [{ Name: "Other", Url: `${address}?other` }] },
    ],
  };
}

/** A configuration of services, each with a document of its own: that of `a` is at `?a`. */
export function configOfAll({ port, origin }: Upstream, names: readonly string[]): object {
  return {
    Routes: [
      {
        UpstreamPathTemplate: "/{all}",
        DownstreamPathTemplate: "/{all}",
        DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
      },
    ],
    SwaggerEndPoints: names.map((name) => ({ Key: name, Config: [{ Url: `${origin}${documentPath}?${name}` }] })),
  };
}

/** Takes long enough for whatever has come to be read. */
export async function askForElse({ get }: Pick<Scene, "get">): Promise<void> {
  for (let count = 0; count < 20; count += 1) expect((await get("/else")).status).toBe(200);
}
