import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { ConfigError, createGateway, GatewayError, parseConfig } from "../../src/index.ts";
import { check, longest } from "./bounds.ts";

const template = fc.constantFrom(
  "/",
  "/a",
  "/{x}",
  "/a/{x}",
  "/{x}/{y}",
  "/a?b={x}",
  "/?{rest}",
  "a",
  "//",
  "/{",
  "/{}",
  "/{x}{x}",
  "/%zz",
  "/\u00e9",
  "",
  "http://a/b",
  "/{__proto__}",
);
const anything = fc.oneof(
  fc.constantFrom<unknown>(null, "", 0, -1, 1e400, true, [], {}, "x", [null], { a: { b: [] } }),
  fc.jsonValue(),
);

const route = fc.record(
  {
    UpstreamPathTemplate: fc.oneof({ weight: 4, arbitrary: template }, { weight: 1, arbitrary: anything }),
    DownstreamPathTemplate: fc.oneof({ weight: 4, arbitrary: template }, { weight: 1, arbitrary: anything }),
    UpstreamHttpMethod: fc.oneof(fc.constantFrom(["Get"], ["GET", "nope"], []), anything),
    DownstreamHostAndPorts: fc.oneof(fc.constant([{ Host: "localhost", Port: 80 }]), anything),
    ServiceName: fc.oneof(fc.constantFrom("A/B", "{x}/B", "fabric:/A/B", ""), anything),
    UpstreamHeaderTemplates: fc.oneof(fc.constantFrom({ "X-A": "{h}" }, { "a b": "1" }), anything),
    Metadata: fc.oneof(fc.constantFrom({ a: "b" }, { __proto__: "x" }), anything),
    Limits: anything,
    Priority: anything,
    Timeout: anything,
    Key: anything,
  },
  { requiredKeys: [] },
);

const configuration = fc.record(
  {
    Routes: fc.oneof({ weight: 5, arbitrary: fc.array(route, { maxLength: 3 }) }, { weight: 1, arbitrary: anything }),
    GlobalConfiguration: fc.oneof(
      fc.constantFrom({}, { ServiceDiscoveryProvider: { Type: "ServiceCluster" } }),
      anything,
    ),
  },
  { requiredKeys: ["Routes"] },
);

/** Either a gateway comes of it, or a ConfigError that says why. */
async function start(input: unknown): Promise<void> {
  try {
    await createGateway(parseConfig(input, { logger: false }), { logger: false }).close();
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError);
    if (error instanceof ConfigError) expect(error.problems.length).toBeGreaterThan(0);
  }
}

test(
  "any configuration starts, or is refused with its problems",
  async () => {
    await check(fc.asyncProperty(configuration, start), 150);
  },
  longest,
);

test(
  "any text is a configuration, or is refused with its problems",
  async () => {
    const damaged = fc.tuple(configuration, fc.nat(), fc.string({ maxLength: 3 })).map(([value, at, insert]) => {
      const json = JSON.stringify(value);
      const index = at % (json.length + 1);
      return json.slice(0, index) + insert + json.slice(index + 1);
    });
    await check(fc.asyncProperty(fc.oneof(damaged, fc.string(), fc.json()), start), 150);
  },
  longest,
);
