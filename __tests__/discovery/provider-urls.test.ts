import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { createConsulSimulator, createEurekaSimulator } from "../../src/simulator/index.ts";
import { createLogBook, refusalOf } from "../config/configurations.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import type { Upstream } from "../helpers/start-upstream.ts";
import { parseConfig } from "../../src/index.ts";
import { routeTo, startInstance } from "./instances.ts";

const closing: (() => Promise<unknown>)[] = [];
let instance: Upstream;

beforeAll(async () => {
  instance = await startInstance("a");
});

afterAll(() => instance.close());

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function portOfConsul(): Promise<number> {
  const consul = createConsulSimulator();
  consul.setInstances("orders", [{ address: "127.0.0.1", port: instance.port }]);
  closing.push(consul.close);
  return (await consul.listen()).port;
}

async function portOfEureka(): Promise<number> {
  const eureka = createEurekaSimulator();
  eureka.setInstances("orders", [{ hostName: "127.0.0.1", port: instance.port }]);
  closing.push(eureka.close);
  return (await eureka.listen()).port;
}

function using(provider: object, route: object = routeTo("orders")): object {
  return { Routes: [route], GlobalConfiguration: { ServiceDiscoveryProvider: provider } };
}

describe("A provider whose host is written as a URL", () => {
  test.each([
    ["Consul", portOfConsul, "", {}],
    ["Consul", portOfConsul, "/", { Scheme: "http" }],
    ["PollConsul", portOfConsul, "", {}],
    ["Eureka", portOfEureka, "", {}],
    ["Eureka", portOfEureka, "/eureka/", {}],
    ["Eureka", portOfEureka, "/eureka", { Scheme: "http" }],
  ])("is asked where that says, %s", async (Type, start, path, more) => {
    const port = await start();
    const { logger, lines } = createLogBook();
    const config = using({ Type, Host: `http://127.0.0.1:${port}${path}`, ...more });
    parseConfig(config, { logger });
    const { origin, close } = await startGateway(config);
    closing.push(close);

    expect(await (await fetch(`${origin}/orders/1`)).text()).toMatch(/^a /);
    const said = `is read as "Scheme": "http", "Host": "127.0.0.1", "Port": ${port}: write it so (provider-url)`;
    expect(lines.filter((line) => line.includes(said))).toHaveLength(1);
  });

  test.each([
    ["the port beside it", { Host: "http://127.0.0.1", Port: 8501 }, "http", 8501],
    ["the usual port of its scheme", { Host: "https://127.0.0.1" }, "https", 443],
    ["an address in brackets", { Host: "HTTP://[::1]:8500", Port: 8500 }, "http", 8500],
    ["a provider that has a name", { Host: "http://127.0.0.1:8500" }, "http", 8500],
  ])("may leave out or repeat what is known: %s", (_what, provider, scheme, port) => {
    const { warnings } = parseConfig(using({ Type: "Consul", ...provider }), { logger: false });
    expect(warnings.map(({ code, message }) => [code, message.slice(message.indexOf("read as"))])).toEqual([
      ["provider-url", expect.stringMatching(`"Scheme": "${scheme}", "Host": "[^"]+", "Port": ${port}: write it so`)],
    ]);
  });

  test("may be one of several that have names", async () => {
    const Host = `http://127.0.0.1:${await portOfEureka()}/eureka/`;
    const route = { ...routeTo("orders"), ServiceProvider: "other" };
    const config = { Routes: [route], GlobalConfiguration: { Providers: { other: { Type: "Eureka", Host } } } };
    const { origin, close } = await startGateway(config);
    closing.push(close);
    expect(await (await fetch(`${origin}/orders/1`)).text()).toMatch(/^a /);
  });

  const remedy = 'write "Scheme": "http", "Host": "h", "Port": 8500 if the URL is right';

  test.each([
    ["another port", { Host: "http://h:8500", Port: 8501 }, `"Port" says 8501: ${remedy}`],
    ["another scheme", { Host: "http://h:8500", Scheme: "https" }, `"Scheme" says "https": ${remedy}`],
    ["a path", { Host: "http://h:8500/x" }, `Consul is not asked below "/x": ${remedy}`],
    ["a path of Eureka's own", { Type: "Eureka", Host: "http://h:8500/eureka/v2" }, `"/eureka/v2": ${remedy}`],
    ["a name and a password", { Host: "http://u:s3same@h:8500" }, `no name and password are sent: ${remedy}`],
    ["a port that is none", { Host: "http://h:99999" }, 'found "http://h:99999"'],
    ["no host", { Host: "http://:8500" }, 'found "http://:8500"'],
    ["a query", { Host: "http://h:8500?dc=a" }, "expected a host name or address"],
    ["what is asked by no URL", { Type: "Dns", Host: "http://h:53" }, 'found "http://h:53"'],
  ])("stops the start with %s, and it is told what to write", (_what, provider, said) => {
    const { message, problems } = refusalOf(using({ Type: "Consul", ...provider }));
    expect(problems.map(({ code }) => code)).toEqual(["host-invalid"]);
    expect(message).toContain(said);
    expect(message).not.toContain("s3same");
  });
});

describe("A provider that no route asks", () => {
  test.each([
    ["a URL", { Type: "Consul", Host: "http://consul:8500" }],
    ["a URL with another port", { Type: "Consul", Host: "http://consul:8500", Port: 8501 }],
    ["a URL with a path", { Type: "Eureka", Host: "http://consul:8500/v2?a" }],
    ["what is no host", { Type: "Consul", Host: "a b", Namespace: "a b" }],
    ["a token", { Type: "Consul", Host: "http://u:s3same@consul:8500", Token: "s3same" }],
  ])("does not stop the start, whatever its host is: %s", async (_what, provider) => {
    const { logger, lines } = createLogBook();
    const route = {
      UpstreamPathTemplate: "/a",
      DownstreamPathTemplate: "/a",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: instance.port }],
    };
    parseConfig(using(provider, route), { logger });
    const { origin, close } = await startGateway(using(provider, route), { logger });
    closing.push(close);
    expect(await (await fetch(`${origin}/a`)).text()).toMatch(/^a /);
    expect(lines.filter((line) => line.includes("(provider-unused)"))).toHaveLength(1);
    expect(lines.join("\n")).not.toContain("s3same");
  });

  test("is judged where documents of services are asked for by it", () => {
    const route = { UpstreamPathTemplate: "/a", DownstreamPathTemplate: "/a", DownstreamHostAndPorts: [{ Host: "h" }] };
    const Config = [{ Name: "Orders", Version: "v1", Service: { Name: "orders", Path: "/swagger.json" } }];
    const config = { ...using({ Type: "Consul", Host: "a b" }, route), SwaggerEndPoints: [{ Key: "orders", Config }] };
    expect(refusalOf(config).problems.map(({ code }) => code)).toEqual(["host-invalid"]);
  });
});
