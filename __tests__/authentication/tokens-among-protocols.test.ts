import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createGateway, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const token = "a.b.c";
let upstream: Upstream;
let gateway: RunningGateway;

beforeAll(async () => {
  upstream = await startUpstream();
  const config = parseConfig({
    Routes: [
      {
        UpstreamPathTemplate: "/{x}",
        DownstreamPathTemplate: "/{x}",
        DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      },
    ],
    GlobalConfiguration: {
      AuthenticationSchemes: {
        Bearer: { Type: "Jwt", Issuer: "me", Audience: false, Secret: "x".repeat(32), From: ["Subprotocol"] },
      },
    },
  });
  const made = createGateway(config, { logger: false });
  gateway = await serve(made, made);
});
afterAll(() => Promise.all([gateway.close(), upstream.close()]));

describe("A token among the protocols of a WebSocket stays behind where", () => {
  test.each([
    ["an element of the list is empty", "Sec-WebSocket-Protocol", `bearer,,${token}, chat`],
    ["several are", "Sec-WebSocket-Protocol", `,bearer, ,\t, ${token},,chat,`],
    ["its word stands there twice", "Sec-WebSocket-Protocol", `bearer, Bearer, ${token}, chat`],
    ["the name is spelt with _", "Sec_WebSocket_Protocol", `bearer, ${token}, chat`],
    ["the name is spelt with a dot", "sec.websocket-protocol", `chat, bearer,, ${token}`],
  ])("%s", async (_where, name, protocols) => {
    expect((await request({ port: gateway.port, path: "/a", headers: { [name]: protocols } })).status).toBe(200);
    expect(upstream.requests.at(-1)!.headers[name.toLowerCase()]).toBe("chat");
  });

  test("nothing else is offered, in any spelling of the name", async () => {
    await request({ port: gateway.port, path: "/a", headers: { Sec_WebSocket_Protocol: `bearer, ${token}` } });
    expect(upstream.requests.at(-1)!.headers).not.toHaveProperty("sec_websocket_protocol");
  });
});
