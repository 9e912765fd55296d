import { readFileSync } from "node:fs";
import http from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createGateway, type Gateway, parseConfig } from "../../src/index.ts";
import { allMountings } from "../helpers/app-kinds.ts";
import { valuesOf } from "../conformance/read-messages.ts";
import { type StrictUpstream, startStrictUpstream } from "../conformance/strict-upstream.ts";
import { keepConnections } from "../helpers/kept-connections.ts";
import { isLong } from "../fuzz/bounds.ts";
import { closeServer, listen } from "../helpers/start-upstream.ts";

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

const allRows = cases.flatMap(({ id, requests }, app) => requests.map((row) => ({ id, app, row })));

const recordedPorts = [51001, 51002, 19081];
const atOnce = 20;
// In the short form each mounting gets a share of them, by turns.
const shares = allMountings.length;

let upstreams: StrictUpstream[] = [];
let gateways: Gateway[] = [];
let other: Gateway;

beforeAll(async () => {
  upstreams = await Promise.all(
    recordedPorts.map(async (port) => {
      const upstream = await startStrictUpstream();
      upstream.answerWith((socket, { line }) => {
        const told = [`X-Arrived-At: ${port}`, `X-Arrived-As: ${line.split(" ")[1]!}`, "Content-Length: 0"];
        socket.write(["HTTP/1.1 200 OK", ...told, "", ""].join("\r\n"), "latin1");
      });
      return upstream;
    }),
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

const turns = allMountings.map((mounting, turn) => ({ ...mounting, turn }));

describe("every recorded request arrives exactly as recorded", () => {
  test.each(turns)("$name", async ({ prefix, mount, turn }) => {
    const server = http.createServer(mount(chooseGateway as Gateway, other));
    const port = await listen(server);
    const rows = allRows.filter((_row, index) => isLong || index % shares === turn);
    const failures: unknown[] = [];
    const connections = keepConnections(port, atOnce);
    const asking = rows.map(async ({ id, app, row: [method, target, status, downstreamTarget, downstreamPort] }) => {
      const { line, headers } = await connections.ask(method, prefix + target, `X-App: ${app}`);
      const [arrivedAs, arrivedAt] = ["x-arrived-as", "x-arrived-at"].map((name) => valuesOf(headers, name)[0]);
      const found = [Number(line.split(" ")[1]), arrivedAs ?? null, Number(arrivedAt ?? 0) || null];
      const expected = [status, downstreamTarget, downstreamPort];
      if (JSON.stringify(found) !== JSON.stringify(expected)) failures.push({ id, method, target, expected, found });
    });
    await Promise.all(asking);
    connections.close();
    await closeServer(server);
    expect(failures).toEqual([]);
    expect(upstreams.flatMap(({ violations }) => violations)).toEqual([]);
  });
});

test("none of them is left out", () => expect(allRows).toHaveLength(1771));

/** One app for all of them: an app of its own for each would cost more than what is tested. */
function chooseGateway(...[req, res, next]: Parameters<Gateway>): void {
  gateways[Number(req.headers["x-app"])]!(req, res, next);
}
