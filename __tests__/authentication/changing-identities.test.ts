import { expect, test } from "@jest/globals";
import type { Authenticator } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

test("a scheme may keep its users as objects: what it changes of one counts from the next request on", async () => {
  const upstream = await startUpstream((req, res) => res.end(req.headers["x-role"]));
  const user = { id: "ada", claims: { role: "admin", groups: ["a"] } };
  const Own: Authenticator = Object.assign(() => user, { reads: { headers: ["x-session"] } });
  const Routes = [
    {
      UpstreamPathTemplate: "/",
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      AuthenticationOptions: { AuthenticationProviderKey: "Own" },
      RouteClaimsRequirement: { groups: "a" },
      AddHeadersToRequest: { "X-Role": "Claims[role] > value" },
    },
  ];
  const running = await startGateway({ Routes }, { authentication: { Own } });
  const ask = async (): Promise<string> => {
    const { status, body } = await request({ port: running.port, path: "/", headers: { "x-session": "1" } });
    return status === 200 ? body.toString() : String(status);
  };
  try {
    expect(await ask()).toBe("admin");
    user.claims.role = "guest";
    expect(await ask()).toBe("guest");
    user.claims.groups.pop();
    expect(await ask()).toBe("403");
    user.claims = { role: "nobody", groups: ["a"] };
    expect(await ask()).toBe("nobody");
  } finally {
    await Promise.all([running.close(), upstream.close()]);
  }
});
