import http, { type RequestListener } from "node:http";
import { afterAll, afterEach, beforeAll, jest } from "@jest/globals";
import { createGateway, type Logger, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

export const ends: (() => unknown)[] = [];
export let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream((req, res) => res.end(req.headers.authorization ?? "none"));
});
afterAll(() => upstream.close());
afterEach(async () => {
  jest.restoreAllMocks();
  for (const end of ends.splice(0).reverse()) await end();
});

export type Ask = (token?: string) => Promise<number>;

/** A gateway with one route behind the scheme. */
export async function lock(scheme: object, more: object = {}, logger: Logger | false = false): Promise<Ask> {
  const Routes = [
    {
      UpstreamPathTemplate: "/",
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      AuthenticationOptions: { AuthenticationProviderKey: "Opaque", ...more },
    },
  ];
  const AuthenticationSchemes = { Opaque: { Type: "Introspection", ClientId: "gateway", ...scheme } };
  const config = parseConfig({ Routes, GlobalConfiguration: { AuthenticationSchemes } }, { logger: false });
  const gateway = createGateway(config, { logger });
  const { port, close } = await serve(gateway, gateway);
  ends.push(close);
  return async function ask(token) {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    // The agent of all is for the questions of the gateway.
    return (await request({ port, path: "/", headers, agent: new http.Agent() })).status;
  };
}

export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;
export const good = { active: true, iss: "me", aud: "api", sub: "ada", exp: inSeconds(600) };
export const saying =
  (more: object): RequestListener =>
  (_req, res) =>
    res.end(JSON.stringify({ ...good, ...more }));

export const sayingDeep =
  (depth: number, inner = ""): RequestListener =>
  (_req, res) =>
    res.end(JSON.stringify({ ...good, deep: 0 }).replace("0}", `${"[".repeat(depth)}${inner}${"]".repeat(depth)}}`));

/** The same, behind a server of its own that answers what it is asked. */
export async function against(listener: RequestListener): Promise<{ ask: Ask; server: Upstream }> {
  const server = await startUpstream(listener);
  ends.push(server.close);
  const Url = `${server.origin}/introspect`;
  return { ask: await lock({ Url, ClientSecret: "s", Issuer: "me", Audience: "api" }), server };
}
