import http, { type RequestListener } from "node:http";
import express from "express";
import { createGateway, type Gateway, inspector, type InspectorOptions, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { closeServer, listen, startUpstream, type Upstream } from "../helpers/start-upstream.ts";

export type Scene = Readonly<{
  port: number;
  gateway: Gateway;
  server: http.Server;
  upstream: Upstream;
  close: () => Promise<void>;
}>;

/** A gateway below `/gw` with a secret in every place that can hold one, and its inspector below `/_gateway`. */
export async function startScene(options?: InspectorOptions, answer?: RequestListener): Promise<Scene> {
  const upstream = await startUpstream(answer);
  const gateway = createGateway(parseConfig(configFor(upstream.port), { logger: false }), { logger: false });
  const app = express();
  app.use("/_gateway", inspector(gateway, options));
  app.use("/gw", gateway);
  const server = http.createServer(app);
  const port = await listen(server);
  return {
    port,
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

export const secrets = ["hunter2", "literal-secret", "asked-secret", "global-secret", "bearer-secret"];

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
    ],
    GlobalConfiguration: { Metadata: { "api.key": "global-secret", region: "north", team: "nobody" } },
  };
}

/** The token that the page carries. */
export async function readToken(port: number): Promise<string> {
  const { body } = await request({ port, path: "/_gateway/" });
  return /name="waymark-token" content="([^"]+)"/.exec(body.toString())![1]!;
}

/** Follows the traffic as an event stream until `enough` says so, or until the stream ends. */
export function followTraffic(port: number, enough: (told: Told[]) => boolean = () => false): Promise<Told[]> {
  return new Promise((resolve, reject) => {
    const req = http.get({ host: "127.0.0.1", port, path: "/_gateway/traffic" }, (res) => {
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
  entries: { number: number; path: string; route: string; status: number; target?: string; error?: string }[];
  skipped: number;
  counts: { requests: number; statuses: Record<string, number>; errors: { error: string; count: number }[] };
  state: { status: string; routes: number };
};

function read(text: string): Told[] {
  const blocks = text.split("\n\n").slice(0, -1);
  return blocks.filter((block) => block.startsWith("data: ")).map((block) => JSON.parse(block.slice("data: ".length)));
}
