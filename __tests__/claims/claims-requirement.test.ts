import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import express, { type RequestHandler } from "express";
import { explainRequest } from "../../src/explain/explain-request.ts";
import { accessLog, parseConfig } from "../../src/index.ts";
import { configOf, type Scene, startScene } from "./scene.ts";

const forbidden = { status: 403, code: "claim-refused", arrived: undefined };

/** What a client asks the middleware of the gateway to do. */
const steered: RequestHandler = function steered(req, res, next) {
  const { "x-set": value, "x-leave": leaves } = req.headers;
  if (typeof value === "string") res.locals.placeholders!.tenant = JSON.parse(`"${value}"`) as string;
  if (leaves !== undefined) next("router");
  else next();
};

describe("A requirement", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene(
      [
        { RouteClaimsRequirement: { role: ["admin", "editor"], level: 2 } },
        {
          UpstreamPathTemplate: "/t/{tenant}/{rest}",
          DownstreamPathTemplate: "/{tenant}/{rest}",
          RouteClaimsRequirement: { tenant: "{tenant}" },
        },
        {
          UpstreamPathTemplate: "/q?t={tenant}",
          DownstreamPathTemplate: "/q/{tenant}",
          RouteClaimsRequirement: { tenant: "{tenant}" },
        },
        {
          UpstreamPathTemplate: "/h",
          DownstreamPathTemplate: "/h",
          UpstreamHeaderTemplates: { "X-Tenant": "{tenant}" },
          RouteClaimsRequirement: { tenant: ["{tenant}"] },
        },
        ...["/p/{tenant}", "/p?t={tenant}"].map((DownstreamPathTemplate, index) => ({
          UpstreamPathTemplate: `/h${index}`,
          DownstreamPathTemplate,
          UpstreamHeaderTemplates: { "X-Tenant": "{tenant}" },
          RouteClaimsRequirement: { tenant: "{tenant}" },
        })),
        { UpstreamPathTemplate: "/url/{rest}", RouteClaimsRequirement: { "urn:role": "admin" } },
        {
          UpstreamPathTemplate: "/made/{rest}",
          AddClaimsToRequest: { role: "Claims[groups] > value[0] > ,", b: "Claims[role] > value" },
          AuthenticationOptions: { AuthenticationProviderKey: "Any", AllowedScopes: ["read"] },
          RouteClaimsRequirement: { role: "admin", b: "admin" },
        },
        { UpstreamPathTemplate: "/odd/{rest}", RouteClaimsRequirement: JSON.parse('{"__proto__":"p"}') as object },
        { UpstreamPathTemplate: "/open/{rest}", AuthenticationOptions: {} },
      ],
      { middleware: [steered] },
    );
  });
  afterAll(() => scene.close());

  test.each<[string, string, object, boolean]>([
    ["is met by one of several", "/x/z", { role: "editor", level: 2 }, true],
    ["is met by one of the claim's values", "/x/z", { role: ["reader", "admin"], level: "2" }, true],
    ["asks for all its claims", "/x/z", { role: "admin" }, false],
    ["asks for the very text", "/x/z", { role: "Admin", level: 2 }, false],
    ["never cuts a value", "/x/z", { role: "admin,editor", level: 2 }, false],
    ["is not met by what all objects have", "/odd/z", {}, false],
    ["may name any claim", "/odd/z", JSON.parse('{"__proto__":"p"}'), true],
    ["may name a claim with a colon", "/url/z", { "urn:role": "admin" }, true],
    ["holds for a claim with a colon", "/url/z", { role: "admin" }, false],
    ["reads a placeholder of the path", "/t/acme/z", { tenant: "acme" }, true],
    ["compares it", "/t/acme/z", { tenant: "other" }, false],
    ["decodes it", "/t/a%20c%C3%A9/z", { tenant: "a cé" }, true],
    ["does not compare it as it was sent", "/t/a%20c/z", { tenant: "a%20c" }, false],
    ["is not met by what cannot be decoded", "/t/%FFa/z", { tenant: "\ufffda" }, false],
    ["reads a parameter", "/q?t=a+c", { tenant: "a c" }, true],
    ["is not met by an empty parameter", "/q?t=", { tenant: "" }, false],
    ["sees the claims that the route adds", "/made/z", { groups: "admin,x", scope: "read" }, true],
    ["does not see what they have replaced", "/made/z", { groups: "x,admin", role: "admin", scope: "read" }, false],
  ])("%s", async (_title, path, claims, isMet) => {
    const seen = await scene.ask({ path }, claims);
    if (isMet) expect([seen.status, seen.arrived === undefined]).toEqual([200, false]);
    else if (seen.status !== 400) expect(seen).toMatchObject(forbidden);
    expect(seen.status === 200).toBe(isMet);
  });

  test.each(["/q?t=acme&t=other", "/q?t=other&T=acme", "/q?t=acme&t[]=other", "/q?t=acme&a=1;t=other"])(
    "reads no parameter that comes twice: %s",
    async (path) => {
      expect(await scene.ask({ path }, { tenant: "acme" })).toMatchObject({ status: 400, arrived: undefined });
    },
  );

  test("reads a placeholder of a header, and not one of two", async () => {
    const claims = { tenant: "acme" };
    expect((await scene.ask({ path: "/h", headers: { "x-tenant": "acme" } }, claims)).status).toBe(200);
    expect(await scene.ask({ path: "/h", headers: { "x-tenant": ["acme", "other"] } }, claims)).toMatchObject(
      forbidden,
    );
  });

  test.each(["x-tenant", "close, X_Tenant"])(
    "tells the service what it has read: Connection: %s",
    async (connection) => {
      const seen = await scene.ask({ path: "/h", headers: { "x-tenant": "acme", connection } }, { tenant: "acme" });
      expect(seen.arrived?.headers["x-tenant"]).toBe("acme");
    },
  );

  test("is judged again where middleware has changed what was compared", async () => {
    const path = "/t/acme/z";
    expect(await scene.ask({ path, headers: { "x-set": "other" } }, { tenant: "acme" })).toMatchObject(forbidden);
    const both = await scene.ask({ path, headers: { "x-set": "other" } }, { tenant: ["acme", "other"] });
    expect(both.arrived?.target).toBe("/other/z");
  });

  test.each<[header: string, claim: string, path: string | undefined, parameter: string | undefined]>([
    ["a+b&c", "a+b&c", "a+b&c", "a%2Bb%26c"],
    ["a\u00c3\u00a9", "aé", "a%C3%A9", "a%C3%A9"],
    ["100%", "100%", "100%25", "100%25"],
    ["%zz", "%zz", "%25zz", "%25zz"],
    ["bo%62", "bo%62", undefined, undefined],
    ["bo%62", "bob", undefined, undefined],
    ["bo%2562", "bo%62", undefined, undefined],
    ["%%62", "%b", undefined, undefined],
    ["a%C3%A9", "aé", undefined, undefined],
    ["a%c3%a9", "a%c3%a9", undefined, undefined],
    ["a\u00ff", "a\ufffd", undefined, undefined],
  ])("reads a header as the header and the URL say it alike: %s for %s", async (header, tenant, ...expected) => {
    for (const [index, value] of expected.entries()) {
      const seen = await scene.ask({ path: `/h${index}`, headers: { "x-tenant": header } }, { tenant });
      if (value === undefined) expect(seen).toMatchObject(forbidden);
      else expect(seen.arrived?.target).toBe(["/p/", "/p?t="][index]! + value);
    }
  });

  test.each<[set: string, claim: string, path: string | undefined, parameter: string | undefined]>([
    ["bob", "bob", "bob", "bob"],
    ["a c+\\u00e9", "a c+é", "a%20c+%C3%A9", "a%20c%2B%C3%A9"],
    ["bo%62", "bob", "bo%62", "bo%62"],
    ["bo%2562", "bo%62", "bo%2562", "bo%2562"],
    ["%c3%a9%%62", "é%b", "%c3%a9%25%62", "%c3%a9%25%62"],
    ["bo%62", "bo%62", undefined, undefined],
    ["%FF", "\ufffd", undefined, undefined],
    ["%C1%A2", "b", undefined, undefined],
    ["%ED%A0%80", "\ud800", undefined, undefined],
    ["\\ud800", "\ud800", undefined, undefined],
  ])("reads what middleware has set as the upstream will: %s for %s", async (set, claim, ...expected) => {
    for (const [index, value] of expected.entries()) {
      const headers = { "x-tenant": "own", "x-set": set };
      const seen = await scene.ask({ path: `/h${index}`, headers }, { tenant: ["own", claim] });
      if (value === undefined) expect(seen).toMatchObject(forbidden);
      else expect(seen.arrived?.target).toBe(["/p/", "/p?t="][index]! + value);
    }
  });

  test("comes behind the scopes, and behind authentication", async () => {
    expect(await scene.ask({ path: "/made/z" }, { groups: "x" })).toMatchObject({ status: 403, code: "scope-missing" });
    expect(await scene.ask({ headers: { "x-nobody": "1" } })).toMatchObject({ status: 401 });
  });

  test("is not asked of a CORS preflight, and of every other OPTIONS", async () => {
    const preflight = { origin: "https://a.example", "access-control-request-method": "PUT" };
    expect((await scene.ask({ method: "OPTIONS", headers: preflight }, {})).status).toBe(200);
    expect(await scene.ask({ method: "OPTIONS" }, {})).toMatchObject(forbidden);
  });
});

describe("Claims that travel", () => {
  const lines: string[] = [];
  let scene: Scene;
  let behind: unknown;
  beforeAll(async () => {
    const logger = { info: (line: object) => lines.push(JSON.stringify(line)) };
    scene = await startScene(
      [
        {
          UpstreamPathTemplate: "/x/{rest}",
          DownstreamPathTemplate: "/{user}/{rest}",
          AllowUpgrade: true,
          AddHeadersToRequest: { "X-User": "Claims[sub] > value" },
          AddQueriesToRequest: { plan: "Claims[plan] > value" },
          ChangeDownstreamPathTemplate: { user: "Claims[sub] > value" },
        },
        { UpstreamPathTemplate: "/open/{rest}", AuthenticationOptions: {} },
      ],
      { middleware: [steered], observers: [accessLog(logger)] },
      (gateway) =>
        express()
          .use(gateway)
          .use((req, res) => {
            behind = [req.headers["x-user"], req.headersDistinct["x-user"], res.locals.identity];
            res.end("behind");
          }),
    );
  });
  afterAll(() => scene.close());

  test("do so for no preflight, of which nothing of the client's is left under these names", async () => {
    const headers = { origin: "https://a.example", "access-control-request-method": "PUT", x_user: "root" };
    const { arrived } = await scene.ask({ method: "OPTIONS", path: "/x/z?plan=1", headers });
    expect([arrived?.target, arrived?.headers["x-user"], arrived?.headers.x_user]).toEqual([
      "//z",
      undefined,
      undefined,
    ]);
  });

  test("are not told to the access log", async () => {
    lines.length = 0;
    const { arrived } = await scene.ask({ path: "/x/z?a=1" }, { sub: "alice-the-first", plan: "gold-7" });
    expect(arrived?.target).toBe("/alice-the-first/z?a=1&plan=gold-7");
    expect(lines.join("\n")).toContain("/***/z?a=1&plan=***");
    expect(lines.join("\n")).not.toMatch(/alice|gold/);
  });

  test("a request that leaves the gateway has the client's header again", async () => {
    const { body } = await scene.ask({ path: "/open/z", headers: { "x-user": "root", "x-leave": "1" } });
    expect([body, behind]).toEqual(["behind", ["root", ["root"], undefined]]);
  });

  test("a reload that adds a header made from claims takes it from clients on routes that stay as they are", async () => {
    const headers = { "x-late": "root" };
    expect((await scene.ask({ path: "/open/z", headers })).arrived?.headers["x-late"]).toBe("root");
    const stays = { UpstreamPathTemplate: "/open/{rest}", AuthenticationOptions: {} };
    const added = { AddHeadersToRequest: { X_Late: "Claims[sub] > value" } };
    await scene.gateway.reload(parseConfig(configOf([stays, added], scene.upstreamPort), { logger: false }));
    expect((await scene.ask({ path: "/open/z", headers })).arrived?.headers).not.toHaveProperty("x-late");
  });

  test("explaining shows no client's header under a name that claims have", () => {
    const added = { AddHeadersToRequest: { "X-User": "Claims[sub] > value" } };
    const config = parseConfig(configOf([added], scene.upstreamPort), { logger: false });
    const { forwarded } = explainRequest(config, {
      method: "GET",
      path: "/x/z",
      headers: { x_user: "root", "x-a": "1" },
    });
    const shown = Object.entries(forwarded!.headers).filter(([name]) => /^x.(user|a)$/.test(name));
    expect(Object.fromEntries(shown)).toEqual({ "x-a": "1", "x-user": "<the claim sub>" });
  });
});
