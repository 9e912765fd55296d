import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import express from "express";
import { createGateway, parseConfig } from "../../src/index.ts";
import { openApiDocuments } from "../../src/openapi.ts";
import { takingTurns } from "../fuzz/bounds.ts";
import { engines } from "../helpers/engines.ts";
import { holdDeadPort } from "../helpers/hold-dead-port.ts";
import { configOf, documentPath, type Scene, startScene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());
beforeEach(() => void scene.service.requests.splice(0));

const info = { title: "Shop", version: "1" };
const document = { openapi: "3.0.0", info, paths: { "/a": { get: { responses: { 200: { description: "" } } } } } };
const all = { UpstreamPathTemplate: "/{all}", DownstreamPathTemplate: "/{all}" };
const path = "/swagger/docs/v1/shop";

describe.each(engines)("fetching a document, with $name", ({ create, turn }) => {
  test("tells the service nothing of the client, and sends its answer without what it says in headers", async () => {
    scene.say((_req, res) => {
      res.setHeader("set-cookie", "a=b").setHeader("content-type", "text/html");
      res.end(JSON.stringify(document));
    });
    await scene.use(configOf(scene.service, [all]), { engine: create() });
    const { status, headers, json } = await scene.get(`${path}?x=y`, { authorization: "Bearer secret", "x-own": "1" });
    expect([status, Object.keys(json.paths)]).toEqual([200, ["/a"]]);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("set-cookie")).toBeNull();
    const [asked, ...others] = scene.service.requests;
    expect(others).toEqual([]);
    expect(asked!.target).toBe(documentPath);
    expect(
      Object.keys(asked!.headers)
        .filter((name) => name !== "connection")
        .sort(),
    ).toEqual(["accept", "accept-encoding", "host", "user-agent"].sort());
  });

  test("asks once for all who come at the same time, and within a minute", async () => {
    scene.say(document);
    let now = 0;
    await scene.use(configOf(scene.service, [all]), { engine: create(), now: () => now });
    const answers = await Promise.all([1, 2, 3].map(() => scene.get(path)));
    now = 59_000;
    answers.push(await scene.get(path));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(scene.service.requests).toHaveLength(1);
    now = 60_000;
    await scene.get(path);
    expect(scene.service.requests).toHaveLength(2);
  });

  const answerWith =
    (body: string | Buffer, headers: Record<string, string> = {}) =>
    (_: unknown, res: ServerResponse) =>
      res.writeHead(200, headers).end(body);
  const tooLong = "it comes to too much as JSON: its aliases repeat long parts";
  // In gigabytes they would end the process.
  const manyAliasesOf = (length: number): string => `a: &a ${"x".repeat(length)}\nb: [${"*a, ".repeat(99)}]`;
  // V8 aborts where one allocation goes beyond the bound of a heap, and not only where its collector does.
  const binary = Buffer.alloc(3_750_000, 1).toString("base64");
  const aborting = `openapi: 3.0.0\na: !!binary ${binary}\nb: "${"x".repeat(3_300_000)}"\n`;
  const item = { get: { description: "x".repeat(400_000), responses: {} } };
  const paths = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`/${index}`, { $ref: "#/item" }]));
  const manyReferences = JSON.stringify({ openapi: "3.0.0", item, paths });
  const faults: readonly (readonly [
    what: string,
    answer: (req: IncomingMessage, res: ServerResponse) => unknown,
    detail: string,
  ])[] = [
    ["an error", (_, res) => res.writeHead(404).end("no"), "the service answers 404"],
    [
      "a redirect",
      (_, res) => res.writeHead(302, { location: `${scene.service.origin}/elsewhere` }).end(),
      "the service answers 302, and redirects are not followed",
    ],
    ["a page", answerWith("<html></html>"), "it is no object"],
    ["broken JSON", answerWith('{"secret": '), "it begins like JSON, and is none"],
    ["broken YAML", answerWith("a: [1"), "it is no YAML"],
    ["another version", answerWith('{"openapi":"4.0.0"}'), 'it says neither "swagger": "2.0" nor'],
    ["a version that is no text", answerWith('{"openapi":{"toString":1}}'), 'it says neither "swagger": "2.0" nor'],
    ["deep nesting", answerWith(`{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`), "nested deeper than 200 levels"],
    ["long aliases", answerWith(manyAliasesOf(400_000)), tooLong],
    ["aliases that come to more than a text can have", answerWith(manyAliasesOf(7_000_000)), tooLong],
    ["YAML with which V8 ends the process that reads it", answerWith(aborting), "too much memory"],
    ["references of many to one", answerWith(manyReferences), "its references come to too much"],
    ["an unknown coding", answerWith("x", { "content-encoding": "own" }), "a coding that cannot be undone"],
    ["more than 8 MiB", answerWith(Buffer.alloc(9 * 1_048_576, " ")), "it has more than 8 MiB"],
    [
      "more than 8 MiB once it is decoded",
      answerWith(gzipSync(Buffer.alloc(9 * 1_048_576, " ")), { "content-encoding": "gzip" }),
      "",
    ],
    [
      "the beginning only",
      (_, res) => res.writeHead(200, { "content-length": "9" }).write("{", () => res.destroy()),
      "",
    ],
  ];
  // In the short form by one engine each.
  test.each(takingTurns(faults, engines.length, turn))("says what is wrong – %s", async (_, answer, detail) => {
    scene.say(answer);
    await scene.use(configOf(scene.service, [all]), { engine: create() });
    const { status, json } = await scene.get(path);
    expect([status, json.code]).toEqual([502, expect.stringMatching(/^document-(?:unavailable|ill-formed)$/)]);
    expect(json.detail).toContain('The OpenAPI document "v1/shop" cannot be');
    expect(json.detail).toContain(detail);
    expect(json.detail).not.toMatch(/secret|127\.0\.0\.1/);
  });

  test("a service that is away is asked again after ten seconds, and its address is not told", async () => {
    const dead = await holdDeadPort();
    let now = 0;
    const endpoint = { Config: [{ Version: "v1", Url: `http://127.0.0.1:${dead.port}/x` }] };
    await scene.use(configOf(scene.service, [all], endpoint), { engine: create(), now: () => now });
    const refused = await scene.get(path);
    expect(refused.json).toMatchObject({ status: 502, code: "document-unavailable" });
    expect(refused.json.detail).toBe(
      'The OpenAPI document "v1/shop" cannot be had: The upstream refused the connection.',
    );
    scene.say(document);
    now = 10_000;
    expect((await scene.get(path)).status).toBe(502);
    await dead.release();
  });

  test("a document that is compressed all the same is read", async () => {
    scene.say(answerWith(gzipSync(JSON.stringify(document)), { "content-encoding": "gzip" }));
    await scene.use(configOf(scene.service, [all]), { engine: create() });
    expect((await scene.get(path)).status).toBe(200);
  });
});

describe("who may read the documents", () => {
  const key = "k".repeat(20);
  const Sha256 = createHash("sha256").update(key).digest("hex");
  const authentication = {
    AuthenticationSchemes: { Keys: { Type: "ApiKey", Keys: [{ Name: "n", Sha256 }] } },
    AuthenticationOptions: { AuthenticationProviderKey: "Keys" },
  };
  const blocked = { SecurityOptions: { IPBlockedList: ["127.0.0.1"] } };
  const limited = { RateLimitOptions: { Limit: 1, Period: "1h", EnableRateLimiting: true } };
  const some = { SecurityOptions: { ...blocked.SecurityOptions, RouteKeys: ["some"] } };

  test.each<[what: string, global: object, headers: Record<string, string>, open: boolean, status: number]>([
    ["everybody, where nothing is locked", {}, {}, false, 200],
    ["nobody without a credential, where all routes are locked", authentication, {}, false, 401],
    ["whoever shows one", authentication, { "x-api-key": key }, false, 200],
    ["everybody, where the option says so", authentication, {}, true, 200],
    ["nobody at an address that is kept out, even then", { ...authentication, ...blocked }, {}, true, 403],
    ["everybody, where a section is for some routes only", some, {}, false, 200],
  ])("%s", async (_, GlobalConfiguration, headers, allowAnonymous, status) => {
    scene.say(document);
    const config = configOf(scene.service, [{ ...all, Key: "some" }]);
    await scene.use({ ...config, GlobalConfiguration }, {}, { allowAnonymous });
    expect((await scene.get(path, headers)).status).toBe(status);
    expect((await scene.get("/swagger/docs", headers)).status).toBe(status);
  });

  test("limits of all routes hold, too", async () => {
    scene.say(document);
    await scene.use({ ...configOf(scene.service, [all]), GlobalConfiguration: limited });
    expect([(await scene.get(path)).status, (await scene.get(path)).status]).toEqual([200, 429]);
  });
});

describe("where documents are", () => {
  /** A provider that finds the service, whoever is asked for. */
  const own = (_service: unknown, update: (instances: object[]) => void, signal: AbortSignal): Promise<void> => {
    update([{ host: "127.0.0.1", port: scene.service.port }]);
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  };

  const endpoints = {
    SwaggerEndPoints: [
      {
        Key: "a b",
        KeyToPath: "a-b",
        Config: [{ Url: "http://127.0.0.1:1/1" }, { Version: "v2", Url: "http://127.0.0.1:1/2", Name: "Two" }],
      },
      { Key: "c/d", Config: [{ Version: "v1.0", Url: "http://127.0.0.1:1/3" }] },
    ],
  };

  test("a list names them", async () => {
    await scene.use({ Routes: [], ...endpoints });
    expect((await scene.get("/swagger/docs")).json).toEqual([
      { name: "a b", version: "v1", url: "docs/v1/a-b" },
      { name: "Two", version: "v2", url: "docs/v2/a-b" },
      { name: "c/d", version: "v1.0", url: "docs/v1.0/c%2Fd" },
      { name: "All services", version: "", url: "docs/all" },
    ]);
  });

  test.each([
    ["/swagger/docs/v1/shop", 404, "shop"],
    ["/swagger/docs/v1/constructor", 404, "no document"],
    ["/swagger/docs/v1/%E0%A4%A", 404, "an escape that is none"],
    ["/swagger/docs/v1/a-b/more", 404, "more than a key"],
    ["/swagger/docs/v1/..%2f..%2fa-b", 404, "dots"],
    ["/swagger/docs/v1/%61-b", 502, "more escapes than needed"],
    ["/swagger/docs/v1.0/c%2fd", 502, "a key with a slash"],
  ])("%s: %i – %s", async (asked, status) => {
    await scene.use({ Routes: [], ...endpoints });
    expect((await scene.get(asked)).status).toBe(status);
    expect(scene.service.requests).toEqual([]);
  });

  test("one that is nowhere is not shown, and stops neither the start nor the others", async () => {
    scene.say(document);
    const nowhere = { Name: "Shop", Version: "1.0", Url: null, Service: null };
    const [shop] = (configOf(scene.service, [all]) as { SwaggerEndPoints: { Config: object[] }[] }).SwaggerEndPoints;
    await scene.use(configOf(scene.service, [all], { Config: [nowhere, ...shop!.Config] }));
    expect((await scene.get("/swagger/docs")).json).toEqual([{ name: "Shop", version: "v1", url: "docs/v1/shop" }]);
    // What is no document goes on to the routes.
    expect((await scene.get("/swagger/docs/1.0/shop")).text).toBe("GET /swagger/docs/1.0/shop");
    expect((await scene.get(path)).status).toBe(200);
  });

  test("one document alone is not listed as merged", async () => {
    await scene.use(configOf(scene.service, [all]));
    expect((await scene.get("/swagger/docs")).json).toEqual([{ name: "Shop", version: "v1", url: "docs/v1/shop" }]);
  });

  test("what is no document goes on to the routes", async () => {
    await scene.use(configOf(scene.service, [all]));
    expect((await scene.get("/swagger/elsewhere")).text).toBe("GET /swagger/elsewhere");
  });

  test("only GET and HEAD are answered", async () => {
    scene.say(document);
    await scene.use(configOf(scene.service, [all]));
    const post = await fetch(scene.origin + path, { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    const head = await fetch(scene.origin + path, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test("a reload changes them", async () => {
    scene.say(document);
    const gateway = await scene.use(configOf(scene.service, [all]));
    await scene.get(path);
    await gateway.reload(
      parseConfig(configOf(scene.service, [{ ...all, UpstreamPathTemplate: "/new/{all}" }]), { logger: false }),
    );
    expect(Object.keys((await scene.get(path)).json.paths)).toEqual(["/new/a"]);
  });

  test("a service that a provider finds has its document where the file says, or where most have it", async () => {
    scene.say(document);
    const route = { ...all, SwaggerKey: "shop", ServiceName: "shop" };
    const config = {
      Routes: [route],
      SwaggerEndPoints: [
        {
          Key: "shop",
          Config: [{ Service: { Name: "shop", Path: documentPath } }, { Version: "v2", Service: { Name: "shop" } }],
        },
      ],
      GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "own" } },
    };
    const provider = { ...config.GlobalConfiguration.ServiceDiscoveryProvider, AllowAddresses: ["127.0.0.1"] };
    await scene.use(
      { ...config, GlobalConfiguration: { ServiceDiscoveryProvider: provider } },
      { discovery: { own: own as never } },
    );
    expect((await scene.get(path)).status).toBe(200);
    expect((await scene.get("/swagger/docs/v2/shop")).status).toBe(502);
    expect(scene.service.requests.map(({ target }) => target)).toEqual([documentPath, "/swagger/v2/swagger.json"]);
  });

  test.each<[what: string, entry: object, at: string]>([
    ["by its name", { ServiceName: "shop" }, "/shop/a"],
    ["in a namespace", { ServiceName: "shop", ServiceNamespace: "east" }, "/east.shop/a"],
  ])("a dynamic route has its document as a written one – %s", async (_, entry, at) => {
    scene.say(document);
    await scene.use(
      {
        DynamicRoutes: [{ ...entry, SwaggerKey: "shop" }, { ServiceName: "other" }],
        SwaggerEndPoints: [{ Key: "shop", Config: [{ Service: { Name: "shop", Path: documentPath } }] }],
        GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "own", AllowAddresses: ["127.0.0.1"] } },
      },
      { discovery: { own: own as never } },
    );
    expect(Object.keys((await scene.get(path)).json.paths)).toEqual([at]);
    expect((await scene.get(at)).text).toBe("GET /a");
  });

  test("the naming service is asked as routes ask it", async () => {
    scene.say(document);
    const provider = { Type: "ServiceCluster", Host: "127.0.0.1", Port: scene.service.port };
    await scene.use({
      Routes: [{ ...all, SwaggerKey: "shop", ServiceName: "app/shop" }],
      SwaggerEndPoints: [{ Key: "shop", Config: [{ Service: { Name: "app/shop", Path: documentPath } }] }],
      GlobalConfiguration: { ServiceDiscoveryProvider: provider },
    });
    await scene.get(path);
    expect(scene.service.requests.map(({ target }) => target)).toEqual([`/app/shop${documentPath}`]);
  });
});

describe("mistakes of the programmer", () => {
  test("what is no gateway, and unknown options, are refused at once", () => {
    const gateway = createGateway(parseConfig({ Routes: [] }, { logger: false }), { logger: false });
    expect(() => openApiDocuments(express() as never)).toThrow(/takes what createGateway\(\) returns/);
    expect(() => openApiDocuments(gateway, { allowAnonymus: true } as never)).toThrow(/Did you mean "allowAnonymous"/);
  });
});
