import { createServer } from "node:http";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { generateKeyPair, type JWTPayload, SignJWT } from "jose";
import type { Explanation } from "../../src/explain/explanation.ts";
import { type Ended, runCommand } from "../cli/run-waymark.ts";
import { closeServer, listen } from "../helpers/start-upstream.ts";

const secret = "a secret of 32 bytes, known here";
const Local = {
  Type: "Jwt",
  Issuer: "https://login.example.org",
  Audience: ["orders-api", "items-api"],
  Secret: secret,
  RequiredClaims: { tenant: ["blue-tenant", "green-tenant"] },
};
const now = Math.floor(Date.now() / 1_000);
const good = {
  iss: Local.Issuer,
  aud: "orders-api",
  exp: now + 600,
  sub: "ada-lovelace",
  tenant: "blue-tenant",
  scope: "orders.read orders.write",
};

let folder: string;
let asked = 0;
const issuer = createServer((_req, res) => {
  asked += 1;
  res.end("{}");
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-token-"));
  const elsewhere = `http://127.0.0.1:${await listen(issuer)}`;
  const lock = (AuthenticationProviderKeys: string[], AllowedScopes: string[] = []): object => ({
    AuthenticationOptions: { AuthenticationProviderKeys, AllowedScopes },
  });
  const locks = {
    local: lock(["Local"], ["orders.read", "orders.admin"]),
    elsewhere: lock(["Elsewhere"]),
    opaque: lock(["Partners", "Opaque"]),
    partners: lock(["Partners"]),
    code: lock(["Code"]),
    open: {},
    tenants: {
      ...lock(["Local"]),
      UpstreamPathTemplate: "/tenants/{name}",
      RouteClaimsRequirement: { tenant: "{name}" },
    },
  };
  const target = { DownstreamPathTemplate: "/", DownstreamHostAndPorts: [{ Host: "orders.internal" }] };
  const Routes = Object.entries(locks).map(([Key, own]) => ({
    Key,
    UpstreamPathTemplate: `/${Key}`,
    ...target,
    ...own,
  }));
  const AuthenticationSchemes = {
    Local,
    Elsewhere: { Type: "Jwt", Issuer: elsewhere, Audience: false },
    Opaque: {
      Type: "Introspection",
      Url: `${elsewhere}/ask`,
      ClientId: "g",
      ClientSecret: "s",
      Issuer: false,
      Audience: false,
    },
    Partners: {
      Type: "ApiKey",
      Keys: [{ Name: "acme", Sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" }],
    },
  };
  const configuration = { Routes, GlobalConfiguration: { AuthenticationSchemes } };
  await writeFile(join(folder, "gateway.json"), JSON.stringify(configuration).replace(`"s"`, `"\${SERVER_SECRET:-s}"`));
  const { privateKey } = await generateKeyPair("ES256");
  const signed = new SignJWT({ ...good, iss: elsewhere }).setProtectedHeader({ alg: "ES256" }).sign(privateKey);
  await writeFile(join(folder, "elsewhere.txt"), await signed);
});

afterAll(async () => {
  await closeServer(issuer);
  await rm(folder, { recursive: true });
});

function sign(claims: object, header: object = {}, key = secret): Promise<string> {
  // What is undefined is left out.
  const payload = JSON.parse(JSON.stringify({ ...good, ...claims })) as JWTPayload;
  return new SignJWT(payload).setProtectedHeader({ alg: "HS256", ...header }).sign(Buffer.from(key));
}

function explain(path: string, token: string, ...more: string[]): Promise<Ended> {
  return runCommand(["explain", "gateway.json", "GET", path, "--env", "--token", "-", ...more], {
    cwd: folder,
    input: token,
  });
}

async function judge(
  path: string,
  token: string,
): Promise<{ code: number | null; token: Explanation["token"]; stdout: string }> {
  const { code, stdout } = await explain(path, token, "--format", "json");
  return { code, stdout, token: (JSON.parse(stdout) as Explanation).token };
}

test("a token that opens a route is told as text, demand by demand", async () => {
  const { code, stdout, stderr } = await explain("/local", `Bearer ${await sign({})}\n`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(`The token opens it:
  scheme Local
    ✓ extensions: none that are critical, and no binding to a key of the client
    ✓ algorithm: one of HS256, HS384, HS512
    ✓ type: one of at+jwt, jwt, none
    ✓ exp: an end
    ✓ issuer: "https://login.example.org"
    ✓ time: it has begun
    ✓ time: it has not ended
    ✓ audience: "orders-api" or "items-api"
    ✓ claim tenant: a value of RequiredClaims
    ✓ signature: made with a key of the scheme
  ✓ scope: orders.read or orders.admin
`);
});

type Row = [why: string, claims: object, failing: string[], header?: object, key?: string];

describe("what is wrong with a token is named, and makes the exit code 1", () => {
  test.each<Row>([
    ["for somebody else", { aud: ["payments-api"] }, ["audience"]],
    ["of another issuer", { iss: "https://login.example.org/" }, ["issuer"]],
    ["that has ended", { exp: now - 3_600 }, ["time"]],
    ["that has not begun", { nbf: now + 3_600 }, ["time"]],
    ["without an end", { exp: undefined }, ["exp", "time"]],
    ["of another tenant", { tenant: "red-tenant" }, ["claim tenant"]],
    ["without the scope", { scope: "orders.write" }, ["scope"]],
    ["of another type", {}, ["type"], { typ: "logout+jwt" }],
    ["bound to a key of the client", { cnf: { jkt: "thumb" } }, ["extensions"]],
    ["signed with another key", {}, ["signature"], {}, "another secret of 32 bytes, known"],
  ])("a token %s", async (...row: Row) => {
    const { 1: claims, 2: failing, 3: header, 4: key } = row;
    const { code, token } = await judge("/local", await sign(claims, header, key));
    const checks = [...(token?.schemes ?? []).flatMap((scheme) => scheme.checks), ...(token?.requirements ?? [])];
    expect(checks.filter(({ verdict }) => verdict === "fails").map(({ what }) => what)).toEqual(failing);
    expect([code, token?.verdict]).toEqual([1, "fails"]);
  });

  test.each(["no token", "e30", "e30.e30", "a.b.c"])("%j, which is none", async (text) => {
    const { code, token } = await judge("/local", text);
    expect([code, token?.verdict]).toEqual([1, "fails"]);
  });
});

test.each([
  ["whose issuer has the keys: they are not fetched", "/elsewhere", "unknown", 0],
  ["that only its server can judge: it is not asked", "/opaque", "unknown", 0],
  ["for a scheme that code supplies", "/code", "unknown", 0],
  ["where keys are asked for", "/partners", "fails", 1],
  ["where anybody may come in", "/open", "holds", 0],
])("a token %s", async (_what, path, verdict, exit) => {
  const { stdout } = await runCommand(
    ["explain", "gateway.json", "GET", path, "--env", "--token", "elsewhere.txt", "--format", "json"],
    { cwd: folder },
  );
  expect((JSON.parse(stdout) as Explanation).token?.verdict).toBe(verdict);
  expect((await explain(path, "opaque-token-text")).code).toBe(path === "/elsewhere" ? 1 : exit);
  expect(asked).toBe(0);
});

test.each([
  ["/tenants/blue-tenant", "holds", 0],
  ["/tenants/blue%2Dtenant", "holds", 0],
  ["/tenants/green-tenant", "fails", 1],
])("a claim that must be the value of a placeholder: %s", async (path, verdict, exit) => {
  const { code, token } = await judge(path, await sign({}));
  expect([code, token?.verdict]).toEqual([exit, verdict]);
  expect(token?.requirements).toEqual([
    { what: "claim tenant", expected: "a value of RouteClaimsRequirement", verdict },
  ]);
});

test("nothing of a token is told", async () => {
  const token = await sign({ email: "ada@example.org", tenant: "red-tenant" });
  const told = (await Promise.all([explain("/local", token), explain("/local", token, "--format", "json")]))
    .map(({ stdout, stderr }) => stdout + stderr)
    .join("");
  const parts = token.split(".");
  expect(
    ["ada-lovelace", "ada@", "red-tenant", "blue-tenant", String(good.exp), ...parts].filter((text) =>
      told.includes(text),
    ),
  ).toEqual([]);
});

test.each([
  ["a file that is not there", ["--token", "absent.txt"], /^Cannot read the token "absent.txt": ENOENT/],
  ["nothing on stdin", ["--token", "-"], /^There is no token in stdin\.\n$/],
])("%s is wrong usage", async (_what, words, message) => {
  const { code, stderr } = await runCommand(["explain", "gateway.json", "GET", "/local", "--env", ...words], {
    cwd: folder,
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});
