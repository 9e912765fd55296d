import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { createGateway, parseConfig } from "../../src/index.ts";
import { refusalOf, route } from "../config/configurations.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const key = "acme-key-of-some-length";
const Sha256 = createHash("sha256").update(key).digest("hex");

function schemesWith(Header: string): object {
  return { AuthenticationSchemes: { Partners: { Type: "ApiKey", Header, Keys: [{ Name: "acme", Sha256 }] } } };
}

describe("The header of an API key is one that clients set:", () => {
  test.each([
    ["the page of a browser", "Origin"],
    ["the page before", "referer"],
    ["the protocols of a WebSocket", "Sec-WebSocket-Protocol"],
    ["what is dropped from everybody", "Proxy"],
    ["a proxy's word in another spelling, which is, too", "X_Original_Key"],
  ])("not %s", (_what, Header) => {
    const { problems } = refusalOf({ Routes: [route({})], GlobalConfiguration: schemesWith(Header) });
    expect(problems).toMatchObject([{ code: "header-name-reserved", path: expect.stringMatching(/Header$/) }]);
  });

  test.each([
    ["X-Forwarded-Key", ["scheme-header-untrusted"], 401, 200],
    ["X-Key", [], 200, 200],
  ])("%s is told of with %j", async (Header, codes, status, fromTrusted) => {
    const upstream = await startUpstream();
    const own = {
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      AuthenticationOptions: { AuthenticationProviderKey: "Partners" },
      UpstreamPathTemplate: "/x",
      DownstreamPathTemplate: "/",
    };
    const config = parseConfig({ Routes: [route(own)], GlobalConfiguration: schemesWith(Header) }, { logger: false });
    expect(config.warnings.map(({ code }) => code)).toEqual(codes);
    for (const [trustProxy, expected] of [
      ["loopback", fromTrusted],
      [[], status],
    ] as const) {
      const gateway = createGateway(config, { logger: false, trustProxy: trustProxy as string });
      const running = await serve(gateway, gateway);
      expect((await request({ port: running.port, path: "/x", headers: { [Header]: key } })).status).toBe(expected);
      await running.close();
    }
    await upstream.close();
  });
});
