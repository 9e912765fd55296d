import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { takingTurns } from "../fuzz/bounds.ts";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { cacheRows, type CacheRow } from "./cache-rows.ts";
import { type Asked, askAt, type Got } from "./cached-route.ts";

const rows = Object.entries(cacheRows).flatMap(([about, of]) => of.map((row) => ({ about, row })));
const numbered = rows.map(({ about, row }, index) => ({ title: `${about}: ${row.title}, as ${row.why}`, row, index }));

describe.each(engines)("what is given again, with $name", ({ create, turn }) => {
  // In the short form each row is played at one engine.
  const played = takingTurns(numbered, engines.length, turn);
  let upstream: Upstream;
  let gateway: RunningGateway;

  beforeAll(async () => {
    upstream = await startRows();
    gateway = await startGateway({ Routes: played.map((one) => toRoute(one, upstream)) }, { engine: create() });
  });
  afterAll(() => Promise.all([gateway.close(), upstream.close()]));

  test.each(played)("$title", async ({ row, index }) => {
    const first = await askAt(gateway.port, below(index, row.first));
    const second = await askAt(gateway.port, below(index, row.second));
    const arrived = upstream.requests.filter(({ target }) => target.startsWith(`/${index}/`));
    expect(arrived).toHaveLength(row.again ? 1 : 2);
    expect({ status: first.status, call: callOf(first) }).toEqual({ status: row.status ?? 200, call: "1" });
    expect({ status: second.status, call: callOf(second) }).toEqual({
      status: row.status ?? 200,
      call: row.again ? "1" : "2",
    });
    if (row.again) {
      expect(second.body).toBe(first.body);
      expect(second.headers.age).toMatch(/^\d$/);
      expect(second.headers["cache-status"]).toMatch(/^waymark; hit; ttl=\d+$/);
    } else expect(second.headers.age).toBeUndefined();
  });
});

function callOf({ headers }: Got): unknown {
  return headers["x-n"];
}

function below(index: number, { path = "/x", ...asked }: Asked = {}): Asked {
  return { path: `/${index}${path}`, ...asked };
}

function toRoute({ row, index }: (typeof numbered)[number], { port }: Upstream): object {
  const { cache = {}, route = {} } = row;
  return {
    UpstreamPathTemplate: `/${index}/{rest}`,
    DownstreamPathTemplate: `/${index}/{rest}`,
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
    CacheOptions: { TtlSeconds: 20, ...cache },
    ...route,
  };
}

/** One service for all rows: the first part of the path tells which. */
function startRows(): Promise<Upstream> {
  const calls = new Map<string, number>();
  return startUpstream((req, res) => {
    const [, index = ""] = req.url!.split("/");
    const call = (calls.get(index) ?? 0) + 1;
    calls.set(index, call);
    const { status = 200, headers = {}, body = "answer {n}" }: CacheRow = rows[Number(index)]!.row;
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value as string);
    res.setHeader("X-N", String(call));
    res.writeHead(status);
    const text = status === 304 || status === 204 || status === 205 ? "" : body.replaceAll("{n}", String(call));
    req.on("end", () => res.end(text)).resume();
  });
}
