import { expect, test } from "@jest/globals";
import { Registry } from "prom-client";
import type { Authenticator } from "../../src/index.ts";
import { prometheusMetrics } from "../../src/prometheus.ts";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";

/** Believes what the request says. */
const believe: Authenticator = ({ headers: { "x-claims": claims } }) =>
  claims === undefined ? undefined : { id: "ann", claims: JSON.parse(String(claims)) as Record<string, string> };

const fail: Authenticator = () => {
  throw new Error("The issuer is away.");
};

const locked = { AuthenticationOptions: { AuthenticationProviderKey: "Believe" } };

const rows: [reason: string, code: string, status: number, asks: object, claims?: object][] = [
  [
    "a client that an address list blocks",
    "address-refused",
    403,
    { SecurityOptions: { IPBlockedList: ["127.0.0.1"] } },
  ],
  ["nobody was recognised", "authentication-required", 401, locked],
  [
    "a scheme that failed",
    "authentication-unavailable",
    503,
    { AuthenticationOptions: { AuthenticationProviderKey: "Fail" } },
  ],
  [
    "a scope that is missing",
    "scope-missing",
    403,
    { AuthenticationOptions: { ...locked.AuthenticationOptions, AllowedScopes: ["orders"] } },
    {},
  ],
  [
    "a claim of another value",
    "claim-refused",
    403,
    { ...locked, RouteClaimsRequirement: { role: "admin" } },
    { role: "guest" },
  ],
  [
    "a claim that is to travel and is missing",
    "claim-missing",
    403,
    { ...locked, AddHeadersToRequest: { "X-User": "Claims[sub] > value" } },
    {},
  ],
  [
    "a claim that no header can hold",
    "claim-unfit",
    403,
    { ...locked, AddHeadersToRequest: { "X-User": "Claims[sub] > value" } },
    { sub: "a\r\nb" },
  ],
];

test("a scrape counts what policies refuse, by route and code, and tells nothing of claims", async () => {
  const register = new Registry();
  const Routes = rows.map(([, code, , asks], index) => ({
    Key: code,
    UpstreamPathTemplate: `/${index}`,
    DownstreamPathTemplate: "/",
    // Nobody listens there: a refusal reaches no upstream.
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }],
    ...asks,
  }));
  const gateway = await startGateway(
    { Routes },
    { authentication: { Believe: believe, Fail: fail }, observers: [prometheusMetrics({ register })] },
  );
  const statuses: [reason: string, status: number][] = [];
  for (const [index, [reason, , , , claims]] of rows.entries()) {
    const headers = claims === undefined ? {} : { "x-claims": JSON.stringify(claims) };
    const { status } = await request({ port: gateway.port, path: `/${index}`, headers });
    statuses.push([reason, status]);
  }
  await gateway.close();
  expect(statuses).toEqual(rows.map(([reason, , status]) => [reason, status]));
  const text = await register.metrics();
  expect(text.split("\n").filter((line) => line.startsWith("waymark_errors_total"))).toEqual(
    rows.map(([, code]) => `waymark_errors_total{route="${code}",code="${code}"} 1`),
  );
  expect(text).not.toContain("guest");
});
