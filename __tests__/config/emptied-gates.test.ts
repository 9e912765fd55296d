import { describe, expect, test } from "@jest/globals";
import { global, one, refusalOf, service, warningsOf } from "./configurations.ts";

const environment = { EMPTY: "", GIVEN: "GET" };

function problemsOf(input: unknown): string[] {
  return refusalOf(input, { environment }).problems.map(({ path, code }) => `${path} (${code})`);
}

describe("A gate never opens because a variable is empty:", () => {
  test.each<[name: string, input: unknown, place: string]>([
    ["a header", one({ UpstreamHeaderTemplates: { "X-Gate": "${EMPTY}" } }), "UpstreamHeaderTemplates.X-Gate"],
    ["all headers", one({ UpstreamHeaderTemplates: "${EMPTY}" }), "UpstreamHeaderTemplates"],
    ["the host", one({ UpstreamHost: "${EMPTY}" }), "UpstreamHost"],
    ["a default that is empty", one({ UpstreamHost: "${NONE:-}" }), "UpstreamHost"],
    ["the methods, as a text", one({ UpstreamHttpMethod: "${EMPTY}" }), "UpstreamHttpMethod"],
    ["a method among others", one({ UpstreamHttpMethod: ["${GIVEN}", "${EMPTY}"] }), "UpstreamHttpMethod[1]"],
    ["origins, as a text", one({ DownstreamScheme: "ws", AllowedOrigins: "${EMPTY}" }), "AllowedOrigins"],
    ["an origin", one({ DownstreamScheme: "ws", AllowedOrigins: ["${EMPTY}"] }), "AllowedOrigins[0]"],
    ["whether WebSockets may pass", one({ DownstreamScheme: "ws", AllowUpgrade: "${EMPTY}" }), "AllowUpgrade"],
    ["the longest body", one({ Limits: { Body: "${EMPTY}" } }), "Limits.Body"],
    ["all limits", one({ Limits: "${EMPTY}" }), "Limits"],
    ["the authorities", one({ DownstreamScheme: "https", Tls: { Ca: "${EMPTY}" } }), "Tls.Ca"],
    ["the parameters of a service", service({ ClientParameters: "${EMPTY}" }), "ClientParameters"],
    ["handlers of a route", one({ DelegatingHandlers: "${EMPTY}" }), "DelegatingHandlers"],
  ])("%s", (_name, input, place) => {
    expect(problemsOf(input)).toEqual([`Routes[0].${place} (lock-value-empty)`]);
  });

  test.each<[name: string, input: unknown, place: string]>([
    ["origins", global({ AllowedOrigins: "${EMPTY}" }), "AllowedOrigins"],
    ["limits", global({ Limits: { Url: "${EMPTY}" } }), "Limits.Url"],
    ["authorities", global({ Tls: { Ca: "${EMPTY}" } }), "Tls.Ca"],
    [
      "the parameters of services",
      service({}, { Type: "ServiceCluster", ClientParameters: ["${EMPTY}"] }),
      "ServiceDiscoveryProvider.ClientParameters[0]",
    ],
  ])("%s of all routes", (_name, input, place) => {
    expect(problemsOf(input)).toEqual([`GlobalConfiguration.${place} (lock-value-empty)`]);
  });

  test("the text says what to do", () => {
    const { message } = refusalOf(one({ UpstreamHost: "${EMPTY}" }), { environment });
    expect(message).toContain(
      'a variable made this empty, and "UpstreamHost" guards something: give the variable a value, or remove this',
    );
  });

  test.each([null, "", [], {}])("what tools write for nothing, %j, counts as absent", (nothing) => {
    const gates = { UpstreamHost: nothing, UpstreamHttpMethod: nothing, UpstreamHeaderTemplates: nothing };
    expect(warningsOf(one({ ...gates, Limits: nothing, Tls: nothing }), { environment })).toEqual([]);
  });

  test("what guards nothing may be empty", () => {
    expect(warningsOf(one({ RequestIdKey: "${EMPTY}", Metadata: { a: "${EMPTY}" } }), { environment })).toEqual([]);
  });
});

describe("An empty entry of a gate is said to be none:", () => {
  test.each<[name: string, input: unknown]>([
    ["a list of methods", one({ UpstreamHttpMethod: [null] })],
    ["a list of origins", one({ DownstreamScheme: "ws", AllowedOrigins: [null, null] })],
    ["the parameters of a service", service({ ClientParameters: [null] })],
    ["a header", one({ UpstreamHeaderTemplates: { "X-Gate": "" } })],
    ["a header of null", one({ UpstreamHeaderTemplates: { "X-Gate": null } })],
  ])("%s", (_name, input) => {
    expect(warningsOf(input)).toEqual(["list-empty"]);
  });
});
