import { readFileSync } from "node:fs";
import http from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import { namingFailures } from "../../src/capabilities/naming-service/naming-failures.ts";
import { accessLog, type Logger } from "../../src/index.ts";
import { statusOfReason } from "../../src/simulator/reasons.ts";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";
import { closeAll, startReplica, startSimulator } from "../simulator/network.ts";

type Line = Readonly<{ level: string; fields: Record<string, unknown>; message: string }>;

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await closeAll();
});

const reasons = Object.entries(namingFailures);

async function startBefore(port: number, engine: (typeof engines)[number], service = "Shop/Orders") {
  const lines: Line[] = [];
  const note = (level: string) => (fields: object, message: string) =>
    void lines.push({ level, fields: { ...fields }, message });
  const logger: Logger = { error: note("error"), warn: note("warn"), info: note("info"), debug: () => undefined };
  const Routes = [
    { Key: "orders", UpstreamPathTemplate: "/orders/{path}", DownstreamPathTemplate: "/{path}", ServiceName: service },
    {
      Key: "direct",
      UpstreamPathTemplate: "/direct/{path}",
      DownstreamPathTemplate: "/{path}",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
    },
  ];
  const ServiceDiscoveryProvider = { Type: "ServiceFabric", Host: "127.0.0.1", Port: port };
  const gateway = await startGateway(
    { Routes, GlobalConfiguration: { ServiceDiscoveryProvider } },
    { logger, observers: [accessLog(logger)], engine: engine.create() },
  );
  closers.push(gateway.close);
  lines.length = 0;
  return { gateway, lines };
}

describe.each(engines)("an answer of the naming service itself, by $name", (engine) => {
  test("is told to the operator in words, and passed on to the client as it is", async () => {
    const upstream = await startUpstream((req, res) => {
      const reason = decodeURIComponent(req.url!.split("/").at(-1)!);
      res.writeHead(statusOfReason[reason as keyof typeof statusOfReason], reason).end();
    });
    closers.push(upstream.close);
    const { gateway, lines } = await startBefore(upstream.port, engine);
    for (const [reason, message] of reasons) {
      const status = statusOfReason[reason as keyof typeof statusOfReason];
      const { statusCode, statusMessage } = await get(`${gateway.origin}/orders/${encodeURIComponent(reason)}`);
      expect({ statusCode, statusMessage }).toEqual({ statusCode: status, statusMessage: reason });
      const told = { level: "warn", fields: { route: "orders", service: "Shop/Orders", status, reason }, message };
      expect(lines.splice(0)).toEqual([told, expect.objectContaining({ level: "info" })]);
    }
  });

  test("of other routes and with other reasons means nothing", async () => {
    const upstream = await startUpstream((req, res) => {
      const isDirect = req.url!.endsWith("direct");
      res.writeHead(404, isDirect ? "FABRIC_E_SERVICE_DOES_NOT_EXIST" : "toString").end();
    });
    closers.push(upstream.close);
    const { gateway, lines } = await startBefore(upstream.port, engine);
    await get(`${gateway.origin}/direct/direct`);
    await get(`${gateway.origin}/orders/other`);
    expect(lines.map(({ level, fields }) => [level, fields.error])).toEqual([
      ["info", undefined],
      ["info", undefined],
    ]);
  });

  test("comes so from the naming service for a partition that was not named", async () => {
    const replica = await startReplica("orders");
    closers.push(async () => replica.server.close());
    const partitions = [{ kind: "Int64Range" as const, low: 0, high: 9, primary: replica.url }];
    const simulator = await startSimulator({ services: { "Shop/Orders": { kind: "stateful", partitions } } });
    const { gateway, lines } = await startBefore(simulator.port, engine);
    expect((await get(`${gateway.origin}/orders/7`)).statusCode).toBe(400);
    expect(lines.map(({ level, message }) => [level, message.replace(/ \d+ ms$/, "")])).toEqual([
      ["warn", namingFailures.FABRIC_E_INVALID_PARTITION_KEY],
      ["info", `GET /orders/7 -> http://127.0.0.1:${simulator.port}/Shop/Orders/7 400`],
    ]);
    expect(lines[1]!.fields.error).toBe("FABRIC_E_INVALID_PARTITION_KEY");
  });
});

test("the documentation has what is told, word for word", () => {
  const page = readFileSync(new URL("../../docs/naming-service.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `([^`|]+)` +\| (The |There |No |A )(.*?) *\|$/gm)];
  expect(rows.map(([, reason, start, rest]) => [reason, `${start}${rest}`])).toEqual(reasons);
});

function get(url: string): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    http.get(url, { agent: false }, (res) => res.resume().on("end", () => resolve(res))).on("error", reject);
  });
}
