import { createHash, createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { accessLog, type Authenticator, type RequestObserver, type RequestRecord } from "../../src/index.ts";
import { type Answer, request } from "../helpers/send-raw.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const acme = "the-key-of-acme";
const claims = { plan: "gold-plan", scope: "orders.read" };
const Keys = [
  { Name: "acme-id", Sha256: createHash("sha256").update(acme).digest("hex"), Claims: claims },
  { Name: "zeta-id", Sha256: createHash("sha256").update("the-key-of-zeta").digest("hex") },
];
const IdentityKey = "a key of 32 bytes, known to tests";
const nameless: Authenticator = ({ headers }) =>
  headers["x-guest"] === undefined ? undefined : { id: "", claims: {} };

let upstream: Upstream;
let gateway: RunningGateway;
const lines: { withIdentity: object[]; without: object[] } = { withIdentity: [], without: [] };
let tell: ((record: RequestRecord) => void) | undefined;

beforeAll(async () => {
  upstream = await startUpstream();
  const lock = (schemes: readonly string[], scopes: readonly string[] = []): object => ({
    AuthenticationOptions: { AuthenticationProviderKeys: schemes, AllowedScopes: scopes },
  });
  const locks = {
    open: {},
    partners: lock(["Partners"]),
    guests: lock(["nameless"]),
    readers: lock(["Partners"], ["orders.read"]),
  };
  const target = { DownstreamPathTemplate: "/", DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
  const Routes = Object.entries(locks).map(([Key, own]) => ({
    Key,
    UpstreamPathTemplate: `/${Key}`,
    ...target,
    ...own,
  }));
  const watch: RequestObserver = { begin: () => ({ ended: (record) => tell?.(record) }) };
  gateway = await startGateway(
    { Routes, GlobalConfiguration: { IdentityKey, AuthenticationSchemes: { Partners: { Type: "ApiKey", Keys } } } },
    {
      authentication: { nameless },
      observers: [
        accessLog({ info: (fields) => lines.withIdentity.push(fields) }, { identity: true }),
        accessLog({ info: (fields) => lines.without.push(fields) }),
        watch,
      ],
    },
  );
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

async function ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<[Answer, RequestRecord]> {
  const ended = new Promise<RequestRecord>((resolve) => (tell = resolve));
  return Promise.all([request({ port: gateway.port, path, headers }), ended]);
}

/** As the documentation tells how a pseudonym is made. */
function pseudonymOf(scheme: string, id: string): string {
  const digest = createHmac("sha256", IdentityKey)
    .update(JSON.stringify([scheme, id]))
    .digest();
  return digest.subarray(0, 12).toString("base64url");
}

type Row = [what: string, path: string, headers: Readonly<Record<string, string>>, status: number, identity: unknown];

describe("who was let in", () => {
  test.each<Row>([
    ["nobody was asked", "/open", {}, 200, undefined],
    [
      "somebody",
      "/partners",
      { "x-api-key": acme },
      200,
      { scheme: "Partners", id: pseudonymOf("Partners", "acme-id") },
    ],
    [
      "somebody else",
      "/partners",
      { "x-api-key": "the-key-of-zeta" },
      200,
      { scheme: "Partners", id: pseudonymOf("Partners", "zeta-id") },
    ],
    ["one of many whom the scheme does not tell apart", "/guests", { "x-guest": "1" }, 200, { scheme: "nameless" }],
    ["nobody was recognised", "/partners", { "x-api-key": "another" }, 401, undefined],
    [
      "somebody without the scope, who was recognised and refused",
      "/readers",
      { "x-api-key": "the-key-of-zeta" },
      403,
      { scheme: "Partners", id: pseudonymOf("Partners", "zeta-id") },
    ],
  ])("%s", async (_what, path, headers, status, identity) => {
    const [answer, record] = await ask(path, headers);
    expect([answer.status, record.identity]).toEqual([status, identity]);
    expect(lines.withIdentity.at(-1)).toMatchObject({ status, identity });
    expect(lines.without.at(-1)).toHaveProperty("identity", undefined);
  });

  test("is told without id, claims and credentials", async () => {
    await ask("/partners", { "x-api-key": acme });
    expect(JSON.stringify(lines)).toContain(pseudonymOf("Partners", "acme-id"));
    expect(JSON.stringify(lines)).not.toMatch(/acme-id|zeta-id|gold-plan|orders\.read|the-key-of/);
  });
});

test("an option that the access log does not have is refused", () => {
  const create = (): unknown => accessLog({ info: () => undefined }, { identities: true } as never);
  expect(create).toThrow(expect.objectContaining({ code: "option-invalid" }));
});
