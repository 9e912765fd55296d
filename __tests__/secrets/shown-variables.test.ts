import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../../src/cli/program.ts";
import { accessLog, createGateway, type GatewayOptions, type Logger, parseConfig } from "../../src/index.ts";
import { openTelemetry } from "../../src/opentelemetry.ts";
import { describeSecret } from "../../src/secrets/describe-secret.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const secret = "S3cretHunter2Zz";
const environment = { API_TOKEN: secret };

let upstream: Upstream;
let folder: string;
beforeAll(async () => {
  upstream = await startUpstream((_req, res) => res.writeHead(404, "FABRIC_E_SERVICE_DOES_NOT_EXIST").end());
  folder = await mkdtemp(join(tmpdir(), "waymark-"));
});
afterAll(async () => {
  await upstream.close();
  await rm(folder, { recursive: true });
});

const shows = (text: string): boolean => text.toLowerCase().includes(secret.toLowerCase());

const route = (more: object = {}): Record<string, unknown> => ({
  UpstreamPathTemplate: "/a",
  DownstreamPathTemplate: "/a",
  DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
  ...more,
});

const toService = (Host: string, ServiceName: string): object => ({
  Routes: [{ UpstreamPathTemplate: "/a", DownstreamPathTemplate: "/a", ServiceName }],
  GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "ServiceFabric", Host, Port: upstream.port } },
});

/** All that is written of an error, as loggers write it. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    one instanceof Error ? Object.assign({}, one, { message: one.message, stack: one.stack, cause: one.cause }) : one,
  );
}

function createLog(): { logger: Logger; lines: string[] } {
  const lines: string[] = [];
  const write = (fields: object, message: string): void => void lines.push(`${message} ${textOf(fields)}`);
  return { logger: { error: write, warn: write, info: write, debug: write }, lines };
}

async function logged(config: unknown, options: GatewayOptions = {}): Promise<string> {
  const { logger, lines } = createLog();
  const parsed = parseConfig(config, { logger: false, environment });
  const gateway = createGateway(parsed, { logger, observers: [accessLog(logger)], ...options });
  const running = await serve(gateway, gateway);
  const answer = await request({ port: running.port, path: "/a" });
  await running.close();
  return [...lines, answer.body.toString(), JSON.stringify(answer.headers)].join("\n");
}

async function printed(config: unknown, args: readonly string[], values: Record<string, string>): Promise<string> {
  const file = join(folder, "gateway.json");
  await writeFile(file, JSON.stringify(config, undefined, 1));
  let out = "";
  const write = (text: string): void => void (out += text);
  const [command = "", ...rest] = args;
  const style = (_format: unknown, text: string): string => text;
  const read = (): Promise<string> => Promise.resolve("");
  await runProgram([command, file, ...rest, "--env"], { write, complain: write, read, style, environment: values });
  return out;
}

describe("The value of a variable that is named like a secret is shown nowhere:", () => {
  test.each<[place: string, config: () => unknown, tells: string]>([
    ["the host of the naming service", () => toService("${API_TOKEN}.localhost", "A/B"), "/A/B/a"],
    ["the name of a service", () => toService("127.0.0.1", "A/${API_TOKEN}"), "no service of this name"],
    [
      "a host that is not found",
      () => ({ Routes: [route({ DownstreamHostAndPorts: [{ Host: "${API_TOKEN}.invalid", Port: 9 }] })] }),
      "upstream-",
    ],
    ["a route's key", () => ({ Routes: [route({ Key: "k-${API_TOKEN}", DownstreamPathTemplate: "/b" })] }), "GET /a"],
  ])("the log, %s", async (_place, config, tells) => {
    const text = await logged(config());
    expect(text).toContain(tells);
    expect(text.split("\n").filter(shows)).toEqual([]);
  });

  test("spans", async () => {
    const attributes: unknown[] = [];
    const span = {
      setAttribute(...given: unknown[]) {
        attributes.push(given);
        return span;
      },
      setAttributes(given: unknown) {
        attributes.push(given);
        return span;
      },
      setStatus: () => span,
      end: () => undefined,
      spanContext: () => ({ traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0 }),
    };
    const tracerProvider = {
      getTracer: () => ({
        startSpan(...given: unknown[]) {
          attributes.push(given);
          return span;
        },
      }),
    };
    const given = { tracerProvider, meterProvider: new MeterProvider() };
    const observer = openTelemetry(given as unknown as Parameters<typeof openTelemetry>[0]);
    const host = { DownstreamHostAndPorts: [{ Host: "${API_TOKEN}.localhost", Port: 9 }] };
    await logged({ Routes: [route(host)] }, { observers: [observer] });
    expect(attributes.length).toBeGreaterThan(2);
    expect(attributes.map((one) => JSON.stringify(one)).filter(shows)).toEqual([]);
  });

  test("a file of certificates that cannot be read", () => {
    const Tls = { Ca: "/nowhere/${API_TOKEN}/ca.pem" };
    const config = parseConfig({ Routes: [route({ Tls })] }, { logger: false, environment });
    let thrown: unknown;
    try {
      createGateway(config, { logger: false });
    } catch (error) {
      thrown = error;
    }
    expect(textOf(thrown)).toContain("/nowhere/***/ca.pem");
    expect(shows(textOf(thrown))).toBe(false);
  });

  test("metadata that do not fit", async () => {
    const config = { Routes: [route({ Metadata: { retries: "${API_TOKEN}" } })] };
    const parsed = parseConfig(config, { logger: false, environment });
    const { logger, lines } = createLog();
    expect(() => createGateway(parsed, { logger, metadata: { retries: "int" } })).toThrow("received a secret value");
    let thrown: unknown;
    const gateway = createGateway(parsed, { logger: false });
    try {
      gateway.routes.get("0")!.getMetadata("retries", "int");
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: "metadata-invalid", value: "***" });
    expect([textOf(thrown), ...lines].filter(shows)).toEqual([]);
    await gateway.close();
  });

  const globalHost = (): object => toService("${API_TOKEN}.localhost", "A/B");
  const fallback = (): object => ({ Routes: [route({ DownstreamPathTemplate: `/hooks/\${API_TOKEN:-${secret}}` })] });

  test.each<[place: string, config: () => object, args: string[], values: Record<string, string>]>([
    ["the host of the naming service in `routes`", globalHost, ["routes"], environment],
    ["a default in `routes`", fallback, ["routes"], {}],
    ["a default in `explain`", fallback, ["explain", "GET", "/a"], {}],
    [
      "the name of a header in `explain`",
      () => ({ Routes: [route({ RequestIdKey: "X-${API_TOKEN}" })] }),
      ["explain", "GET", "/a"],
      environment,
    ],
    ["a route's key in `routes`", () => ({ Routes: [route({ Key: "k-${API_TOKEN}" })] }), ["routes"], environment],
  ])("%s", async (_place, config, args, values) => {
    const text = await printed(config(), args, values);
    expect(text).toContain("***");
    expect(text.split("\n").filter(shows)).toEqual([]);
  });

  test.each<[what: string, written: string]>([
    ["alone", `\${API_TOKEN:-${secret}}`],
    ["among other text", `ab\${API_TOKEN:-${secret}/{id}/${secret}}cd`],
    ["with a query", `ab\${API_TOKEN:-${secret}?a=1&b=2}cd`],
    ["behind another one", `\${REGION:-north}\${API_TOKEN:-${secret}}`],
    ["with what JSON escapes", `\${API_TOKEN:-"${secret}"\n${secret}}`],
    ["that is not closed", `\${API_TOKEN:-${secret}`],
  ])("a default %s in the line of a problem", async (_what, written) => {
    const text = await printed({ Routes: [route({ UpstreamPathTemplate: written })] }, ["check"], {});
    expect(text).toMatch(/template-slash|variable-ill-formed/);
    expect(text).toMatch(/\*{10}/);
    expect(text.split("\n").filter(shows)).toEqual([]);
  });

  test.each<[what: string, more: object, global: object]>([
    ["a balancer", { LoadBalancerOptions: { Type: "${API_TOKEN}" } }, {}],
    ["a scheme", { AuthenticationOptions: { AuthenticationProviderKey: "${API_TOKEN}" } }, {}],
    ["a handler", { DelegatingHandlers: ["${API_TOKEN}"] }, {}],
    ["a registry", { ServiceName: "a" }, { ServiceDiscoveryProvider: { Type: "${API_TOKEN}" } }],
  ])("the name of %s that only code can supply", async (_what, more, GlobalConfiguration) => {
    const written = { Routes: [{ ...route(), ...more }], GlobalConfiguration };
    const parsed = parseConfig(written, { logger: false, environment });
    let thrown: unknown;
    try {
      createGateway(parsed, { logger: false });
    } catch (error) {
      thrown = error;
    }
    expect(textOf(thrown)).toContain("***");
    expect(shows(textOf(thrown))).toBe(false);
    const { logger, lines } = createLog();
    const gateway = createGateway(parseConfig({ Routes: [route()] }, { logger: false }), { logger });
    const refused: unknown = await gateway.reload(parsed).catch((error: unknown) => error);
    expect([textOf(refused), textOf(gateway.health().lastFailure), ...lines].filter(shows)).toEqual([]);
    await gateway.close();
  });

  test.each(["?v=", "?v=1&w="])("nor the rest of it, where %j makes a query of it", async (sign) => {
    const value = `Pa55wd${sign}wordLonger99`;
    const config = { Routes: [route({ UpstreamPathTemplate: "ab${DB_PASSWORD}cd" })] };
    const text = await printed(config, ["check"], { DB_PASSWORD: value });
    expect(text).toContain('found "ab***');
    expect(text).not.toMatch(/Pa55|wordLonger/);
  });

  test.each(["#", "&", '"', "\\", " "])("nor half of it, where %j stands in it", async (sign) => {
    const value = `Pa55${sign}wordLonger99`;
    const twice = { UpstreamPathTemplate: "/a?key=${DB_PASSWORD}" };
    const config = { Routes: [route({ ...twice, DownstreamPathTemplate: "/#${DB_PASSWORD}" }), route(twice)] };
    const text = await printed(config, ["check"], { DB_PASSWORD: value });
    expect(text).toContain("route-repeated");
    expect(text.split("\n").filter((line) => line.includes("wordLonger99"))).toEqual([]);
  });
});

describe("Metadata that hold what a log would mask are secrets:", () => {
  test.each([
    ["before a host", "https://u:hunter2pw@h/"],
    ["in a query", "https://h/?token=hunter2pw"],
    ["in a connection string", "Server=db;Password=hunter2pw"],
    ["what a header of identity holds", "Bearer hunter2pw"],
    ["what another one holds", "Basic aHVudGVyMnB3"],
  ])("%s", async (_place, value) => {
    const config = parseConfig({ Routes: [route({ Metadata: { note: value } })] }, { logger: false });
    const gateway = createGateway(config, { logger: false });
    const found = gateway.routes.get("0")!;
    expect(describeSecret("note", value, found)).toEqual(expect.any(String));
    await gateway.close();
    const text = await printed({ Routes: [route({ Metadata: { note: value } })] }, ["explain", "GET", "/a"], {});
    expect(text).toContain("***");
    expect(text).not.toMatch(/hunter2pw|aHVudGVyMnB3/);
  });

  test.each(["https://example.org/?page=2", "a=b;c=d", "Bearer", "Basic needs of a service"])(
    "%j is none",
    async (value) => {
      const config = parseConfig({ Routes: [route({ Metadata: { note: value } })] }, { logger: false });
      const gateway = createGateway(config, { logger: false });
      expect(describeSecret("note", value, gateway.routes.get("0")!)).toBeUndefined();
      await gateway.close();
    },
  );
});

test.each(['/{"token":"hunter2"}', '/x/{"a":{"password":"hunter2"}}/y', "/x/'secret':'hunter2'"])(
  "JSON in a path is masked, raw as well: %s",
  async (path) => {
    const { logger, lines } = createLog();
    const config = parseConfig(
      { Routes: [route({ UpstreamPathTemplate: "/{p}", DownstreamPathTemplate: "/{p}" })] },
      { logger: false },
    );
    const gateway = createGateway(config, { logger: false, observers: [accessLog(logger)] });
    const running = await serve(gateway, gateway);
    await request({ port: running.port, path });
    await running.close();
    expect(lines).toHaveLength(1);
    expect(lines.filter((line) => line.includes("hunter2"))).toEqual([]);
  },
);
