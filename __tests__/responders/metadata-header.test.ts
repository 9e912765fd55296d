import { afterEach, describe, expect, test } from "@jest/globals";
import { createGateway, type GatewayOptions, metadataHeader, metadataResponder, parseConfig } from "../../src/index.ts";
import { routeTo } from "../reload/scene.ts";
import { request } from "../helpers/send-raw.ts";
import { type OneRoute, startOneRoute } from "./one-route.ts";

type Warning = { fields: object; message: string };

function createRecordingLogger(warnings: Warning[]): NonNullable<GatewayOptions["logger"]> {
  const ignore = (): void => undefined;
  return {
    error: ignore,
    info: ignore,
    debug: ignore,
    warn: (fields, message) => void warnings.push({ fields, message }),
  };
}

type Middleware = NonNullable<GatewayOptions["middleware"]>[number];

const refuse: Middleware = (_req, res) => res.sendStatus(403);
const fail: Middleware = () => {
  throw new Error("no");
};

let running: OneRoute | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function headersOf(path: string): Promise<Record<string, unknown>> {
  const { headers, status } = await request({ port: running!.port, path });
  return { status, metadata: headers["gw-route-metadata"], truncated: headers["gw-route-metadata-truncated"] };
}

const responders = { metadataHeader, metadataResponder };

describe.each(Object.entries(responders))("%s", (_name, createResponder) => {
  const json = '{"a":"b"}';

  test.each([
    { title: "an answer of the upstream", path: "/x", status: 200, options: {} },
    { title: "a middleware's 403", path: "/x", status: 403, options: { middleware: [refuse] } },
    { title: "a request that the gateway refuses", path: "/a/..%2fb", status: 400, options: {} },
    { title: "an upstream that closes the connection", path: "/close", status: 502, options: {} },
    { title: "a middleware that throws", path: "/x", status: 500, options: { middleware: [fail] } },
  ] as { title: string; path: string; status: number; options: GatewayOptions }[])(
    "its header is on $title",
    async ({ path, status, options }) => {
      running = await startOneRoute(
        (req, res) => {
          if (req.url === "/close") req.socket.destroy();
          else res.setHeader("GW-Route-Metadata", "forged").end("hello");
        },
        { ...options, responder: createResponder() },
      );
      expect(await headersOf(path)).toEqual({ status, metadata: json, truncated: undefined });
    },
  );

  test("the header's name is an option, and what the upstream sends under that name is dropped", async () => {
    running = await startOneRoute((_req, res) => res.setHeader("x-route", "forged").end("hello"), {
      responder: createResponder({ header: "X-Route" }),
    });
    const { headers } = await request({ port: running.port, path: "/" });
    expect([headers["x-route"], headers["gw-route-metadata"]]).toEqual([json, undefined]);
  });

  test.each([
    { header: "", reason: "no header name" },
    { header: "a b", reason: "no header name" },
    { header: "Set-Cookie", reason: "not ours to set" },
  ])("the name $header is refused at creation", ({ header, reason }) => {
    expect(() => createResponder({ header })).toThrow(reason);
  });

  test.each([
    { title: "order and null", metadata: { z: "1", a: null }, expected: '{"z":"1","a":null}' },
    { title: "quotes", metadata: { 'a"': "\\" }, expected: '{"a\\"":"\\\\"}' },
    { title: "line ends cannot begin a header", metadata: { a: "\r\nX-Evil: 1" }, expected: '{"a":"\\r\\nX-Evil: 1"}' },
    { title: "beyond ASCII", metadata: { ä: "\u007f€😀" }, expected: '{"\\u00e4":"\\u007f\\u20ac\\ud83d\\ude00"}' },
    { title: "a key that objects know", metadata: JSON.parse('{"__proto__":"1"}'), expected: '{"__proto__":"1"}' },
    { title: "no metadata", metadata: {}, expected: "{}" },
  ])("the value: $title", async ({ metadata, expected }) => {
    running = await startOneRoute((_req, res) => res.end("hello"), { responder: createResponder() }, metadata);
    expect(await headersOf("/")).toEqual({ status: 200, metadata: expected, truncated: undefined });
  });

  test("select decides which keys are told", async () => {
    const responder = createResponder({ select: (key) => key.startsWith("public.") });
    const metadata = { "public.a": "1", "private.b": "2" };
    running = await startOneRoute((_req, res) => res.end("hello"), { responder }, metadata);
    expect(await headersOf("/")).toEqual({ status: 200, metadata: '{"public.a":"1"}', truncated: undefined });
  });

  test.each([
    { title: "as long as allowed", length: 20 - '{"a":""}'.length, truncated: undefined },
    { title: "a byte longer", length: 21 - '{"a":""}'.length, truncated: "true" },
  ])("a value $title", async ({ length, truncated }) => {
    const warnings: Warning[] = [];
    const metadata = { a: "x".repeat(length) };
    const options = { responder: createResponder({ maxHeaderBytes: 20 }), logger: createRecordingLogger(warnings) };
    running = await startOneRoute((_req, res) => res.end("hello"), options, metadata);
    const seen = [await headersOf("/"), await headersOf("/")];
    const expected = {
      status: 200,
      metadata: truncated === undefined ? JSON.stringify(metadata) : undefined,
      truncated,
    };
    expect(seen).toEqual([expected, expected]);
    expect(warnings.map(({ fields }) => fields)).toEqual(
      truncated === undefined ? [] : [{ route: "0", bytes: 21, maxHeaderBytes: 20 }],
    );
  });

  test("the limit is 8 KiB by default", async () => {
    const metadata = { a: "x".repeat(8_192 - '{"a":""}'.length) };
    running = await startOneRoute((_req, res) => res.end("hello"), { responder: createResponder() }, metadata);
    expect(await headersOf("/")).toEqual({ status: 200, metadata: JSON.stringify(metadata), truncated: undefined });
  });

  test.each<[key: string, value: string, reason: string | undefined]>([
    ["db.pwd", "x", "looks like a secret"],
    ["credentials", "x", "looks like a secret"],
    ["jwt", "x", "looks like a secret"],
    ["pass-phrase", "x", "looks like a secret"],
    ["authorization", "x", "looks like a secret"],
    ["connection_string", "x", "looks like a secret"],
    ["backend", '{"password":"x"}', 'holds "password", which looks like a secret'],
    ["backends", '[{"a":{"Api_Key":"x"}}]', 'holds "Api_Key", which looks like a secret'],
    ["text", '{"a":"{\\"db\\":{\\"pwd\\":1}}"}', 'holds "pwd", which looks like a secret'],
    ["comments", '{"jwt":"x", /* the other one */}', 'holds "jwt", which looks like a secret'],
    ["escapes", '{"p\\u0061ssword":"x",}', 'holds "password", which looks like a secret'],
    ["lines", `{"jwt"\n${" ".repeat(20)}:"x",}`, 'holds "jwt", which looks like a secret'],
    ["member", '{"to":"https://a/b?token=x"}', "holds a secret, as its text tells"],
    ["placeholder", "{base}:8080?token=x", "holds a secret, as its text tells"],
    ["nearly", '{"country.code":"es","link":"http://a:8080/b",}', undefined],
    ["author", "x", undefined],
    ["keywords", '{"keyboard":"monkey","passenger":"x"}', undefined],
    ["country.code", "es", undefined],
    ["partitionKey", "1", undefined],
    ["link", "http://a:8080/b", undefined],
  ])("%s: %s is told with the warning %j", (key, value, reason) => {
    const warnings: Warning[] = [];
    const Metadata = { [key]: value };
    const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: 1 }];
    createGateway(
      parseConfig(
        { Routes: [{ UpstreamPathTemplate: "/a", DownstreamPathTemplate: "/a", DownstreamHostAndPorts, Metadata }] },
        { logger: false },
      ),
      { responder: createResponder(), logger: createRecordingLogger(warnings) },
    );
    const told = warnings.filter(({ fields }) => "key" in fields).map(({ message }) => message);
    expect(told).toEqual(
      reason === undefined
        ? []
        : [
            `The metadata key ${JSON.stringify(key)} ${reason}, and clients can read it in GW-Route-Metadata. Leave it out with the option select.`,
          ],
    );
  });

  test("a select that is asynchronous is refused, as its promise would count as a yes", () => {
    const select = (() => Promise.reject(new Error("too late"))) as unknown as () => boolean;
    const config = parseConfig({ Routes: [routeTo(1, "/", { Metadata: { secret: "s3same" } })] }, { logger: false });
    const create = (): unknown => createGateway(config, { responder: createResponder({ select }), logger: false });
    expect(create).toThrow(expect.objectContaining({ code: "option-invalid" }));
  });

  test("select is told the value and the route, too", async () => {
    const asked: unknown[] = [];
    const responder = createResponder({ select: (...told) => asked.push(told) > 0 });
    running = await startOneRoute((_req, res) => res.end("hello"), { responder }, { a: "1" });
    expect(asked[0]).toEqual(["a", "1", expect.objectContaining({ id: "0" })]);
  });

  test.each([
    { title: "are warned of at start, each once", select: undefined, expected: ["apiKey"] },
    { title: "may be left out", select: (key: string) => key !== "apiKey", expected: [] },
  ])("keys that look like secrets $title", ({ select, expected }) => {
    const warnings: Warning[] = [];
    const hosts = [{ Host: "127.0.0.1", Port: 1 }];
    const config = {
      Routes: ["/a", "/b"].map((path) => ({
        UpstreamPathTemplate: path,
        DownstreamPathTemplate: path,
        DownstreamHostAndPorts: hosts,
      })),
      GlobalConfiguration: { Metadata: { apiKey: "x", plain: "y" } },
    };
    createGateway(parseConfig(config, { logger: false }), {
      responder: createResponder(select === undefined ? {} : { select }),
      logger: createRecordingLogger(warnings),
    });
    expect(warnings.flatMap(({ fields }) => ("key" in fields ? [fields.key] : []))).toEqual(expected);
  });
});
