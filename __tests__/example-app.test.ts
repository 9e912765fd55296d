import { once } from "node:events";
import { readFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { parseTree, type Node } from "jsonc-parser";
import { readPorts } from "../example-app/ports.ts";
import { startExample } from "../example-app/start-example.ts";
import { allSections } from "../src/config/sections.ts";
import { parseConfig } from "../src/index.ts";
import { expectations } from "./example-app/expectations.ts";
import { type PageRequest, readPageRequests } from "./example-app/page-requests.ts";
import { readCurlLine } from "./example-app/read-curl-line.ts";
import { freePorts, runExample, type RunningExample, runToItsEnd } from "./example-app/run-example.ts";
import { type Answer, request } from "./helpers/send-raw.ts";

// Each start of the example is a process of its own.

let example: RunningExample;
let page: { status: number; headers: Headers; html: string };

beforeAll(async () => {
  example = await runExample();
  const response = await fetch(`${example.origin}/`);
  page = { status: response.status, headers: response.headers, html: await response.text() };
});

afterAll(() => example.interrupt());

function titleOf({ url, method, headers, body, as }: PageRequest): string {
  const { host, pathname, search } = new URL(url, example.origin);
  const named = host === new URL(example.origin).host ? [] : [host.replace(/:\d+$/, "")];
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const size = body === undefined ? [] : [`(${body.length})`];
  const user = as === undefined ? [] : [`as ${as}`];
  return [method, ...named, `${pathname.replace(/^\/gw/, "")}${search}`, ...lines, ...size, ...user].join(" ");
}

function ask({
  url,
  method,
  headers,
  body,
}: Pick<PageRequest, "url" | "method" | "headers" | "body">): Promise<Answer> {
  const { host, port, pathname, search } = new URL(url, example.origin);
  const sent = { port: Number(port), method, path: `${pathname}${search}`, headers: { host, ...headers } };
  return request(
    body === undefined ? sent : { ...sent, body, headers: { ...sent.headers, "content-length": body.length } },
  );
}

/** The header that a user's requests carry, as the page fetches it. */
async function tokenOf(user: string | undefined): Promise<Record<string, string>> {
  if (user === undefined) return {};
  const line = await fetch(`${example.origin}/token/${user}`).then((response) => response.text());
  return readCurlLine(`curl -H "${line.trim()}"`).headers;
}

async function arrivalsOf({ headers }: Answer): Promise<string[]> {
  const id = headers["x-request-id"];
  if (id === undefined) return [];
  const response = await fetch(`${example.origin}/trace/${String(id)}`);
  const { arrivals } = (await response.json()) as { arrivals: { method: string; target: string }[] };
  return arrivals.map(({ method, target }) => `${method} ${target}`);
}

describe("the start page", () => {
  test("needs nothing from elsewhere, and says so", () => {
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(page.html).not.toMatch(
      /<script(?![^>]* src=)|<style|\son\w+=|(?:src|href)="(?:https?:)?\/\/(?!admin\.localhost:)/,
    );
  });

  test("offers each request of the table, and no other", () => {
    expect(readPageRequests(page.html).map(titleOf).toSorted()).toEqual(Object.keys(expectations).toSorted());
  });

  test("tells every route of gateway.json", async () => {
    const config = parseConfig(await readGatewayJson(), { logger: false });
    const told = [...page.html.matchAll(/data-route="([^"]+)"/g)].map(([, route]) => route!);
    expect(told.toSorted()).toEqual([...config.routes.map(({ Key }) => Key!), "overview"].toSorted());
  });

  test.each(Object.entries(expectations))("%s works as the page promises", async (title, expected) => {
    const offered = readPageRequests(page.html).find((one) => titleOf(one) === title)!;
    const answer = await ask({ ...offered, headers: { ...offered.headers, ...(await tokenOf(offered.as)) } });
    expect(answer.status).toBe(expected.status);
    expect(answer.body.toString()).not.toMatch(/Bearer|authorization|x-api-key/i);
    if (typeof expected.body === "string") expect(answer.body.toString()).toBe(expected.body);
    if (expected.body instanceof RegExp) expect(answer.body.toString()).toMatch(expected.body);
    for (const [name, value] of Object.entries(expected.headers ?? {}))
      expect([name, answer.headers[name]]).toEqual([name, value]);
    const arrived = await arrivalsOf(answer);
    if (expected.arrives !== undefined) expect(arrived).toEqual([expected.arrives]);
    if ([400, 401, 403].includes(expected.status)) expect(arrived).toEqual([]);
  });

  test.each(Object.keys(expectations))("%s has a line for the terminal that asks the same", (title) => {
    const offered = readPageRequests(page.html).find((one) => titleOf(one) === title)!;
    const line = readCurlLine(offered.curl);
    const { Host: host, ...headers } = line.headers;
    const url = new URL(line.url);
    if (host !== undefined) url.hostname = host;
    const as = line.headersFrom?.replace(`${example.origin}/token/`, "");
    expect(titleOf({ ...offered, ...line, url: url.href, headers, as })).toBe(title);
  });

  test("the two hosts of a balanced route take turns", async () => {
    const offered = readPageRequests(page.html).find((one) => titleOf(one) === "GET /turns")!;
    const hosts = [await ask(offered), await ask(offered)].map(
      ({ body }) => JSON.parse(body.toString()).service as string,
    );
    expect(hosts.toSorted()).toEqual(["downstream, the first host", "downstream, the second host"]);
  });

  test("the inspector shows the hosts, the limit, the cache and the aggregate", async () => {
    const link = new URL(/Who asks for what: (\S+)/.exec(example.welcome)![1]!);
    const secret = new URLSearchParams(link.hash.slice(1)).get("token")!;
    const opened = await fetch(`${example.origin}${link.pathname}open`, {
      method: "POST",
      headers: { "x-waymark-secret": secret },
    });
    const cookie = opened.headers.getSetCookie()[0]!.split(";")[0]!;
    const answer = await fetch(`${example.origin}${link.pathname}state`, { headers: { cookie } });
    const state = (await answer.json()) as Record<"limits" | "caches" | "aggregates", { route: string }[]> & {
      hosts: { rows: { route: string; watchedBy: string[] }[] };
    };
    const watched = state.hosts.rows.filter(({ watchedBy }) => watchedBy.length === 2);
    const named = [watched, state.limits, state.caches, state.aggregates].map((rows) => rows.map(({ route }) => route));
    expect(named).toEqual([["turns", "turns"], ["quota"], ["prices"], ["overview"]]);
  });

  test("a WebSocket passes", async () => {
    const socket = new WebSocket(`${example.origin.replace("http", "ws")}/gw/echo`);
    const said = await new Promise((resolve, reject) => {
      socket.onopen = () => socket.send("Hello?");
      socket.onmessage = ({ data }) => resolve(data);
      socket.onerror = () => reject(new Error("The WebSocket could not be opened."));
    });
    socket.close();
    expect(said).toBe("Hello?");
  });

  test("a live service counts through the naming service", async () => {
    const socket = new WebSocket(`${example.origin.replace("http", "ws")}/gw/ticker`);
    const heard: number[] = [];
    await new Promise((resolve, reject) => {
      socket.onmessage = ({ data }) => {
        if (heard.push(Number(data)) === 2) resolve(undefined);
      };
      socket.onerror = () => reject(new Error("The WebSocket could not be opened."));
    });
    socket.close();
    expect(heard[1]).toBe(heard[0]! + 1);
  });

  test("nobody but the users of the provider is given a token", async () => {
    const answers = await Promise.all(
      ["nobody", "__proto__", "laura%2F"].map((user) => fetch(`${example.origin}/token/${user}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test("the OpenAPI document of the services holds what clients can call", async () => {
    const document = await fetch(`${example.origin}/swagger/docs/v1/shop`).then((response) => response.json());
    expect(document).toMatchObject({ servers: [{ url: "/gw" }], components: { schemas: { Received: {} } } });
    const { paths } = document as { paths: Record<string, object> };
    const operations = Object.entries(paths).map(([path, item]) => `${Object.keys(item).join()} ${path}`);
    expect(operations).toEqual(["get /catalog/specials", "get /search", "get /profile", "post /notes"]);
    expect(paths["/search"]).toMatchObject({ get: { parameters: [{ name: "q", in: "query" }] } });
    expect(paths["/profile"]).toMatchObject({ get: { parameters: [{ name: "x-tenant", in: "header" }] } });
  });

  test("a trace that is not there is empty", async () => {
    const trace = await fetch(`${example.origin}/trace/unknown`).then((response) => response.json());
    expect(trace).toEqual({ arrivals: [] });
  });
});

describe("the terminal", () => {
  test("offers three curl lines that work", async () => {
    const lines = example.welcome.split("\n").filter((line) => line.includes("curl"));
    const answers = await Promise.all(lines.map(readCurlLine).map((line) => ask({ body: undefined, ...line })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test("Ctrl+C ends everything, an open WebSocket too, with code 0; nothing has complained until then", async () => {
    const other = await runExample();
    const socket = new WebSocket(`${other.origin.replace("http", "ws")}/gw/echo`);
    await new Promise((resolve) => (socket.onopen = resolve));
    expect((await fetch(`${other.origin}/token/laura`)).status).toBe(200);
    const { code, stdout, stderr } = await other.interrupt();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/Stopped\.\n$/);
    await expect(fetch(other.origin)).rejects.toThrow();
  });

  test.each([
    ["PORT", "the gateway", "PORT=8090"],
    ["NAMING_PORT", "the naming service", "NAMING_PORT="],
    ["DOWNSTREAM_PORT", "the downstream service", "DOWNSTREAM_PORT="],
    ["SECOND_DOWNSTREAM_PORT", "the second downstream service", "SECOND_DOWNSTREAM_PORT="],
    ["IDENTITY_PORT", "the OpenID provider", "IDENTITY_PORT="],
    ["REGISTRY_PORT", "the registry", "REGISTRY_PORT="],
  ])("%s that is in use is said in two lines", async (variable, who, remedy) => {
    const { port, free } = await occupyPort();
    const starting = startExample(readPorts({ ...freePorts, [variable]: String(port) }), undefined);
    const lines = await starting.then(
      () => ["The example has started."],
      (problem: unknown) => (problem as Error).message.split("\n"),
    );
    free();
    expect(lines).toEqual([
      `Port ${port} for ${who} cannot be used: something else listens there.`,
      expect.stringContaining(`Stop that program, or take another port: ${remedy}`),
    ]);
  });

  test("the process of an example whose port is in use says nothing else, and ends with code 1", async () => {
    const { port, free } = await occupyPort();
    const { code, stdout, stderr } = await runToItsEnd({ PORT: String(port) });
    free();
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringContaining(`Port ${port} for the gateway`),
      expect.stringContaining("Stop that program"),
    ]);
  });

  test.each(["eighty", "-1", "65536", "80.5", "0x50"])("PORT=%s is no port", (text) => {
    expect(() => readPorts({ PORT: text })).toThrow(
      `PORT=${text} is no port. Expected a whole number from 0 to 65535, such as 8080.`,
    );
  });

  test("what is wrong with the environment is said in one line", async () => {
    const { code, stderr } = await runToItsEnd({ NAMING_PORT: "none" });
    const line = "NAMING_PORT=none is no port. Expected a whole number from 0 to 65535, such as 19081.\n";
    expect({ code, stderr }).toEqual({ code: 1, stderr: line });
  });

  test("the usual ports are those of the documentation", () => {
    expect(readPorts({ PORT: "" })).toEqual({
      gateway: 8080,
      naming: 19081,
      downstream: 19082,
      secondDownstream: 19083,
      identity: 19084,
      registry: 19085,
    });
  });
});

async function occupyPort(): Promise<Readonly<{ port: number; free: () => void }>> {
  const occupier = http.createServer();
  occupier.listen(0, "127.0.0.1");
  await once(occupier, "listening");
  return { port: (occupier.address() as AddressInfo).port, free: () => void occupier.close() };
}

/** Keys that gateway.json does not show, and why. */
const notShown: Readonly<Record<string, string>> = {
  DangerousAcceptAnyServerCertificateValidator: "nobody should copy it",
};

describe("gateway.json", () => {
  test("parses without a warning", async () => {
    expect(parseConfig(await readGatewayJson(), { logger: false }).warnings).toEqual([]);
  });

  test("shows every key there is, in use or in a comment", async () => {
    const text = await readGatewayJson();
    const keys = new Set(allSections.flatMap((section) => Object.keys(section.keys)));
    const missing = [...keys].filter((key) => !text.includes(`"${key}"`));
    expect(missing.toSorted()).toEqual(Object.keys(notShown).toSorted());
  });

  test("gives every route a key", async () => {
    const tree = parseTree(await readGatewayJson(), [], { allowTrailingComma: true })!;
    const routes = valueOf(tree, "Routes").children!;
    expect(routes.filter((route) => route.children!.every((member) => member.children![0]!.value !== "Key"))).toEqual(
      [],
    );
  });
});

function valueOf(object: Node, name: string): Node {
  return object.children!.find(({ children }) => children![0]!.value === name)!.children![1]!;
}

function readGatewayJson(): Promise<string> {
  return readFile(new URL("../example-app/gateway.json", import.meta.url), "utf8");
}
