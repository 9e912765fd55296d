import { readFileSync } from "node:fs";
import http, { type RequestListener } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createGateway, type Gateway, parseConfig } from "../../src/index.ts";
import { allMountings } from "../helpers/app-kinds.ts";
import { request } from "../helpers/send-raw.ts";
import { closeServer, listen, startUpstream, type Upstream } from "../helpers/start-upstream.ts";

type Row = [
  method: string,
  target: string,
  status: number,
  downstreamTarget: string | null,
  downstreamPort: number | null,
];
type Case = { id: string; config: { Routes: object[]; GlobalConfiguration: object }; requests: Row[] };

const { cases } = JSON.parse(readFileSync(new URL("../fixtures/vectors/routing.json", import.meta.url), "utf8")) as {
  cases: Case[];
};

const recordedPorts = [51001, 51002, 19081];
const atOnce = 50;

let upstreams: Upstream[] = [];
let gateways: Gateway[] = [];
let other: Gateway;
const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });

beforeAll(async () => {
  upstreams = await Promise.all(
    recordedPorts.map((port) =>
      startUpstream((req, res) => {
        req.resume();
        res.setHeader("x-arrived-at", String(port)).setHeader("x-arrived-as", req.url!).end();
      }),
    ),
  );
  gateways = cases.map(({ config }) =>
    createGateway(parseConfig(withRealPorts(config), { logger: false }), { logger: false }),
  );
  other = createGateway(
    parseConfig(
      {
        Routes: [
          {
            UpstreamPathTemplate: "/not/in/any/vector",
            DownstreamPathTemplate: "/",
            DownstreamHostAndPorts: [{ Host: "localhost" }],
          },
        ],
      },
      { logger: false },
    ),
    { logger: false },
  );
});

afterAll(async () => {
  agent.destroy();
  await Promise.all([...gateways, other].map((gateway) => gateway.close({ grace: 0 })));
  await Promise.all(upstreams.map((upstream) => upstream.close()));
});

function withRealPorts(config: Case["config"]): unknown {
  return JSON.parse(
    recordedPorts.reduce(
      (text, port, index) => text.replaceAll(`"Port":${port}`, `"Port":${upstreams[index]!.port}`),
      JSON.stringify(config).replaceAll('"Host":"localhost"', '"Host":"127.0.0.1"'),
    ),
  );
}

describe("every recorded request arrives exactly as recorded", () => {
  test.each(allMountings)("$name", async ({ prefix, mount }) => {
    const apps = gateways.map((gateway) => mount(gateway, other));
    const server = http.createServer(chooseApp(apps));
    const port = await listen(server);
    const rows = cases.flatMap(({ id, requests }, app) => requests.map((row) => ({ id, app, row })));
    const failures: unknown[] = [];
    await inTurns(rows, async ({ id, app, row: [method, target, status, downstreamTarget, downstreamPort] }) => {
      const answer = await request({ port, agent, method, path: prefix + target, headers: { "x-app": String(app) } });
      const found = [
        answer.status,
        answer.headers["x-arrived-as"] ?? null,
        Number(answer.headers["x-arrived-at"] ?? 0) || null,
      ];
      const expected = [status, downstreamTarget, downstreamPort];
      if (JSON.stringify(found) !== JSON.stringify(expected)) failures.push({ id, method, target, expected, found });
    });
    await closeServer(server);
    expect(rows).toHaveLength(1771);
    expect(failures).toEqual([]);
  });
});

function chooseApp(apps: RequestListener[]): RequestListener {
  return (req, res) => apps[Number(req.headers["x-app"])]!(req, res);
}

async function inTurns<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
}
