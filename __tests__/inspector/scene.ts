import { createHash } from "node:crypto";
import http, { type OutgoingHttpHeaders, type RequestListener } from "node:http";
import express from "express";
import {
  createGateway,
  type Gateway,
  type GatewayOptions,
  inspector,
  type InspectorOptions,
  parseConfig,
} from "../../src/index.ts";
import { type Answer, request } from "../helpers/send-raw.ts";
import { closeServer, listen, startUpstream, type Upstream } from "../helpers/start-upstream.ts";

export type Scene = Readonly<{
  port: number;
  /** The link that opens the page. */
  link: string;
  /** What the link opens it with, as a header. */
  cookie: string;
  gateway: Gateway;
  server: http.Server;
  upstream: Upstream;
  close: () => Promise<void>;
}>;

/** A gateway below `/gw` with a secret in every place that can hold one, and its inspector below `/_gateway`. */
export function startScene(options?: InspectorOptions, answer?: RequestListener): Promise<Scene> {
  return startSceneOf(configFor, { ...(options && { inspect: options }), ...(answer && { answer }) });
}

type SceneParts = Readonly<{ inspect?: InspectorOptions; answer?: RequestListener; gateway?: GatewayOptions }>;

/** The same of another configuration, which is made for the port of an upstream. */
export async function startSceneOf(
  configOf: (port: number) => unknown,
  { inspect: options, answer, gateway: gatewayOptions }: SceneParts = {},
): Promise<Scene> {
  const upstream = await startUpstream(answer);
  const config = parseConfig(configOf(upstream.port), { logger: false });
  const gateway = createGateway(config, { logger: false, ...gatewayOptions });
  const app = express();
  const inspect = inspector(gateway, options);
  app.use("/_gateway", inspect);
  app.use("/gw", gateway);
  const server = http.createServer(app);
  const port = await listen(server);
  const link = inspect.link(`http://localhost:${port}/_gateway`);
  return {
    port,
    link,
    cookie: await readCookie(port, link),
    gateway,
    server,
    upstream,
    async close() {
      await gateway.close({ grace: 0 });
      await closeServer(server);
      await upstream.close();
    },
  };
}

export const secrets = [
  "hunter2",
  "literal-secret",
  "asked-secret",
  "global-secret",
  "bearer-secret",
  "acme-id",
  "claim-secret",
];

const Partners = {
  Type: "ApiKey",
  Keys: [
    {
      Name: "acme-id",
      Sha256: createHash("sha256").update("bearer-secret").digest("hex"),
      Claims: { scope: "orders.read", plan: "claim-secret" },
    },
  ],
};

export function configFor(port: number): unknown {
  const hosts = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }] };
  return {
    Routes: [
      {
        Key: "orders",
        UpstreamPathTemplate: "/orders/{id}",
        UpstreamHttpMethod: ["Get"],
        DownstreamPathTemplate: "/api/orders/{id}?api=literal-secret",
        Metadata: { "db.password": "hunter2", team: "orders <b>bold</b>" },
        ...hosts,
      },
      { Key: "reset", UpstreamPathTemplate: "/reset/{token}", DownstreamPathTemplate: "/reset/{token}", ...hosts },
      {
        Key: "down",
        UpstreamPathTemplate: "/down",
        DownstreamPathTemplate: "/",
        DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }],
      },
      {
        Key: "partners",
        UpstreamPathTemplate: "/partners",
        DownstreamPathTemplate: "/",
        AuthenticationOptions: { AuthenticationProviderKeys: ["Partners"], AllowedScopes: ["orders.read"] },
        RateLimitOptions: { Limit: 90, Period: "1m", By: "Identity" },
        UpstreamHeaderTransform: { "X-Team": "blue", "X-Api-Token": "literal-secret" },
        DownstreamHeaderTransform: { Server: { Remove: true } },
        ...hosts,
      },
    ],
    GlobalConfiguration: {
      Metadata: { "api.key": "global-secret", region: "north", team: "nobody" },
      AuthenticationSchemes: { Partners },
    },
  };
}

/** Does what the page does that a link opens. */
export async function showSecret(port: number, link: string, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  const { pathname, hash } = new URL(link);
  const secret = new URLSearchParams(hash.slice(1)).get("token")!;
  const shown = { "X-Waymark-Secret": secret, ...headers };
  return request({ port, method: "POST", path: `${pathname}open`, headers: shown });
}

/** The cookie that a link leads to, as a browser sends it back. */
export async function readCookie(port: number, link: string): Promise<string> {
  const { headers } = await showSecret(port, link);
  return headers["set-cookie"]![0]!.split(";", 1)[0]!;
}

/** The token that the page carries. */
export async function readToken({ port, cookie }: Scene): Promise<string> {
  const { body } = await request({ port, path: "/_gateway/", headers: { Cookie: cookie } });
  return /name="waymark-token" content="([^"]+)"/.exec(body.toString())![1]!;
}

/** Follows the traffic as an event stream until `enough` says so, or until the stream ends. */
export function followTraffic(
  { port, cookie }: Pick<Scene, "port" | "cookie">,
  enough: (told: Told[]) => boolean = () => false,
): Promise<Told[]> {
  return new Promise((resolve, reject) => {
    const headers = { Cookie: cookie };
    const req = http.get({ host: "127.0.0.1", port, path: "/_gateway/traffic", headers }, (res) => {
      let text = "";
      res.setEncoding("utf8");
      res.on("error", () => resolve(read(text)));
      res.on("end", () => resolve(read(text)));
      res.on("data", (chunk: string) => {
        text += chunk;
        if (enough(read(text))) req.destroy();
      });
      res.on("close", () => resolve(read(text)));
    });
    req.on("error", reject);
  });
}

export type Told = {
  entries: {
    process: number;
    number: number;
    path: string;
    route: string;
    status: number;
    target?: string;
    error?: string;
    identity?: object;
  }[];
  skipped: number;
  counts: { requests: number; statuses: Record<string, number>; errors: { error: string; count: number }[] };
  state: { status: string; routes: number };
};

function read(text: string): Told[] {
  const blocks = text.split("\n\n").slice(0, -1);
  return blocks.filter((block) => block.startsWith("data: ")).map((block) => JSON.parse(block.slice("data: ".length)));
}
