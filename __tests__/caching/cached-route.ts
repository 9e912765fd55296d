import http, { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import type { GatewayOptions } from "../../src/index.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

/** How the service behind a cached route answers; `{n}` in texts is the number of the call. */
export type Service = Readonly<{
  status?: number;
  headers?: OutgoingHttpHeaders;
  body?: string;
  answer?: (req: IncomingMessage, res: ServerResponse, call: number) => void;
}>;

export type CachedRoute = Readonly<{
  gateway: RunningGateway;
  upstream: Upstream;
  ask: Ask;
  close: () => Promise<void>;
}>;

/** A request to a cached route: a GET of `/x` unless it says otherwise. */
export type Asked = Readonly<{
  method?: string;
  path?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
  agent?: http.Agent;
}>;

export type Got = Readonly<{
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
  trailers: NodeJS.Dict<string>;
}>;

type Ask = (asked?: Asked) => Promise<Got>;

/** Starts a service, and a gateway with one route to it that caches. */
export async function startCachedRoute(
  service: Service = {},
  {
    route = {},
    global = {},
    options = {},
  }: Readonly<{ route?: object; global?: object; options?: GatewayOptions }> = {},
): Promise<CachedRoute> {
  let calls = 0;
  const upstream = await startUpstream((req, res) => {
    calls += 1;
    answerAs(service, calls, req, res);
  });
  const gateway = await startGateway(configOf(upstream.port, { route, global }), options);
  return {
    gateway,
    upstream,
    ask: (asked) => askAt(gateway.port, asked),
    async close() {
      await gateway.close();
      await upstream.close();
    },
  };
}

/** The configuration of a gateway with one route that caches. */
export function configOf(
  port: number,
  { route = {}, global = {} }: Readonly<{ route?: object; global?: object }>,
): object {
  return {
    Routes: [
      {
        UpstreamPathTemplate: "/{rest}",
        DownstreamPathTemplate: "/{rest}",
        DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
        CacheOptions: { TtlSeconds: 20 },
        ...route,
      },
    ],
    GlobalConfiguration: global,
  };
}

function answerAs(service: Service, call: number, req: IncomingMessage, res: ServerResponse): void {
  const { status = 200, headers = {}, body = "answer {n}", answer } = service;
  if (answer !== undefined) {
    answer(req, res, call);
    return;
  }
  const number = (text: string): string => text.replaceAll("{n}", String(call));
  for (const [name, value] of Object.entries(headers))
    res.setHeader(name, Array.isArray(value) ? value.map(number) : number(String(value)));
  res.writeHead(status);
  req.on("end", () => res.end(number(body))).resume();
}

/** Sends nothing but what is asked for, and `Host`. */
export function askAt(
  port: number,
  { method = "GET", path = "/x", headers = {}, body, agent }: Asked = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: "127.0.0.1", port, method, path, headers, agent: agent ?? false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode!,
          headers: answer.headers,
          body: Buffer.concat(chunks).toString("latin1"),
          trailers: answer.trailers,
        }),
      );
    });
    sent.on("error", reject).end(body);
  });
}
