import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { explainRequest } from "../../src/explain/explain-request.ts";
import type { ExplainableRequest, ExplainedForward } from "../../src/explain/explanation.ts";
import { maskByConfig } from "../../src/explain/mask-by-config.ts";
import { printExplanation } from "../../src/explain/print-explanation.ts";
import { parseConfig } from "../../src/index.ts";

const long = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier";
const locked = { AuthenticationOptions: { AuthenticationProviderKeys: ["Any"] } };
const target = { DownstreamHostAndPorts: [{ Host: "orders", Port: 80 }] };

const config = parseConfig(
  {
    Routes: [
      {
        ...target,
        ...locked,
        UpstreamPathTemplate: "/mine/{rest}",
        DownstreamPathTemplate: "/{user}/{rest}?by={user}",
        AddHeadersToRequest: { "X-User": `Claims[${long}] > value` },
        AddQueriesToRequest: { plan: "Claims[p?#/] > value[0] > |", by: "Claims[sub] > value" },
        ChangeDownstreamPathTemplate: { user: "Claims[sub] > value" },
        UpstreamHeaderTransform: { "X-User": "of the transform" },
      },
      {
        ...target,
        ...locked,
        UpstreamPathTemplate: "/last",
        DownstreamPathTemplate: "/{z}",
        ChangeDownstreamPathTemplate: { z: "Claims[z] > value" },
      },
      {
        ...target,
        ...locked,
        UpstreamPathTemplate: "/turned",
        DownstreamPathTemplate: "/{user}",
        DownstreamHttpMethod: "GET",
        ChangeDownstreamPathTemplate: { user: "Claims[sub] > value" },
      },
      { ...target, UpstreamPathTemplate: "/open/{rest}", DownstreamPathTemplate: "/{rest}" },
    ],
  },
  { logger: false },
);

function explain(request: Partial<ExplainableRequest>): ExplainedForward | undefined {
  return maskByConfig(config, explainRequest(config, { method: "GET", path: "/", ...request })).forwarded;
}

const preflight = {
  method: "OPTIONS",
  headers: { Origin: "https://app.example", "Access-Control-Request-Method": "GET" },
};

test.each<[what: string, request: Partial<ExplainableRequest>, url: string, user: string | undefined]>([
  [
    "placeholders and parameters",
    { path: "/mine/a?x=1" },
    "/{user}/a?by={user}&x=1&plan={claim}",
    `<the claim ${long}>`,
  ],
  [
    "not the client's parameters",
    { path: "/mine/a?plan=free" },
    "/{user}/a?by={user}&plan={claim}",
    `<the claim ${long}>`,
  ],
  ["a placeholder at the end", { path: "/last" }, "/{z}", undefined],
  ["nothing for a preflight, which has no claims", { path: "/mine/a", ...preflight }, "//a?by=", "of the transform"],
  ["a preflight that would not go on as one", { path: "/turned", ...preflight }, "/{user}", undefined],
  ["nothing on a route that makes nothing of claims", { path: "/open/a" }, "/a", undefined],
])("an explanation names what claims would fill in: %s", (_what, request, url, user) => {
  const forwarded = explain(request);
  expect(forwarded?.url).toBe(`http://orders${url}`);
  expect(forwarded?.headers["x-user"]).toBe(user);
});

test("an explanation tells that a parameter from a claim would stand behind too many others", () => {
  const path = `/mine/a?${"a&".repeat(500)}`;
  expect(explainRequest(config, { method: "GET", path })).toMatchObject({
    outcome: "refused",
    forwarded: undefined,
    cache: undefined,
    refusal: { status: 400, code: "parameters-too-many", rule: expect.stringContaining("500 parameters") },
  });
  expect(explainRequest(config, { path, ...preflight }).outcome).toBe("forwarded");
});

test("an explanation tells from which claim everything is made", async () => {
  const { policies } = explainRequest(config, { method: "GET", path: "/mine/a" });
  expect(policies).toEqual([
    {
      name: "claims",
      title: "from claims",
      lines: [
        "{user}, parameter plan, parameter by, header X-User",
        "{user} from the claim sub",
        "parameter plan from part 0 of the claim p?#/",
        "parameter by from the claim sub",
        `header X-User from the claim ${long}`,
      ],
    },
  ]);
  expect(explainRequest(config, { method: "GET", path: "/open/a" }).policies).toEqual([]);
  const page = await readFile(new URL("../../docs/claims.md", import.meta.url), "utf8");
  const written = parseConfig(/```json\n(.*?)\n```/s.exec(page)![1], { logger: false });
  const printed = printExplanation(explainRequest(written, { method: "GET", path: "/tenants/acme/orders/7" }));
  expect(printed).toContain(`
    claim user from part 1 of the claim sub
    {user} from the claim user
    parameter plan from the claim plan
    header X-User from the claim user
`);
});
