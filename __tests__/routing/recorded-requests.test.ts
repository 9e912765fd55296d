import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { readRequestTarget } from "../../src/urls/request-target.ts";
import { createRouteIndex, type RouteIndex } from "../../src/routing/index/route-index.ts";
import { parseUpstreamTemplate } from "../../src/templates/upstream-template.ts";

type RecordedRoute = Readonly<{
  UpstreamPathTemplate: string;
  UpstreamHttpMethod?: string[];
  DownstreamPathTemplate: string;
  ServiceName?: string;
  RouteIsCaseSensitive?: boolean;
  Priority?: number;
}>;
type RecordedRequest = [
  method: string,
  target: string,
  status: number,
  downstreamTarget: string | null,
  port: number | null,
];
type Recording = Readonly<{
  cases: readonly Readonly<{ id: string; config: { Routes: RecordedRoute[] }; requests: RecordedRequest[] }>[];
}>;

const fixture = new URL("../fixtures/vectors/routing.json", import.meta.url);
const recording = JSON.parse(readFileSync(fixture, "utf8")) as Recording;

describe("requests recorded from Ocelot find the same route and values", () => {
  test.each(recording.cases.map(({ id, config, requests }) => ({ id, config, requests })))(
    "$id",
    ({ config, requests }) => {
      const index = indexOf(config.Routes);
      const expected = requests.map(([, , status, target]) => (status === 404 ? "no route" : (target ?? "refused")));
      expect(requests.map((request) => arrive(index, request))).toEqual(expected);
    },
  );

  test("all of them are there", () => {
    expect(recording.cases.flatMap(({ requests }) => requests)).toHaveLength(1771);
  });
});

function indexOf(routes: readonly RecordedRoute[]): RouteIndex<RecordedRoute> {
  return createRouteIndex(
    routes.map((route) => ({
      value: route,
      template: parseUpstreamTemplate(route.UpstreamPathTemplate),
      methods: route.UpstreamHttpMethod,
      host: undefined,
      caseSensitive: route.RouteIsCaseSensitive ?? false,
      priority: route.Priority ?? 1,
    })),
  );
}

/** Where a request arrives when the templates are filled as simply as can be. */
function arrive(index: RouteIndex<RecordedRoute>, [method, url, status]: RecordedRequest): string {
  const { path, query } = readRequestTarget(url)!;
  const match = index.find({ method, path, query, host: "localhost", headers: {} });
  if (match === undefined) return "no route";
  // The service name would hold what it must not: refused later, but it matches.
  if (status === 400) return "refused";
  const { DownstreamPathTemplate, ServiceName } = match.value;
  const fill = (template: string) => template.replace(/\{(\w+)\}/g, (_, name: string) => match.placeholders[name]!);
  let downstream = fill(DownstreamPathTemplate);
  const endsInEmptyValue = DownstreamPathTemplate.endsWith("}") && downstream.endsWith("/");
  if (endsInEmptyValue && !match.path.endsWith("/")) downstream = downstream.slice(0, -1);
  const service = ServiceName === undefined ? "" : `/${fill(ServiceName)}`;
  return `${service}${downstream}${query === undefined ? "" : `?${query}`}`;
}
