import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { decodeProtectedHeader } from "jose";
import { createGateway, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { createIssuerKey, type IssuerKey } from "./start-issuer.ts";
import { type RotatingProvider, startRotatingProvider } from "./start-rotating-provider.ts";

const algorithms = ["RS256", "PS256", "ES256", "EdDSA"];
let upstream: Upstream;
let provider: RotatingProvider;
let first: IssuerKey[];
let second: IssuerKey[];
const gateways: RunningGateway[] = [];

beforeAll(async () => {
  const generation = (name: string): Promise<IssuerKey[]> =>
    Promise.all(algorithms.map((algorithm) => createIssuerKey(`${name}-${algorithm}`, algorithm)));
  [first, second, upstream] = await Promise.all([generation("first"), generation("second"), startUpstream()]);
  provider = await startRotatingProvider(...first);
});
afterAll(async () => {
  for (const { close } of gateways) await close();
  await Promise.all([provider.close(), upstream.close()]);
});

/** A gateway that takes the provider's tokens; gives the function that tells the status of a request with one. */
async function lock(): Promise<(token: string) => Promise<number>> {
  const Routes = [
    {
      UpstreamPathTemplate: "/",
      DownstreamPathTemplate: "/",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      AuthenticationOptions: { AuthenticationProviderKey: "Provider", AllowedScopes: ["read"] },
    },
  ];
  const AuthenticationSchemes = { Provider: { Type: "Jwt", Issuer: provider.issuer, Audience: "api" } };
  const config = parseConfig({ Routes, GlobalConfiguration: { AuthenticationSchemes } }, { logger: false });
  const gateway = createGateway(config, { logger: false });
  const running = await serve(gateway, gateway);
  gateways.push(running);
  return async (token) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await request({ port: running.port, path: "/", headers })).status;
  };
}

test("tokens of an OpenID provider are taken, whatever algorithm signs them", async () => {
  const ask = await lock();
  for (const algorithm of algorithms) {
    const token = await provider.token(algorithm);
    expect(decodeProtectedHeader(token)).toEqual({ alg: algorithm, typ: "at+jwt", kid: `first-${algorithm}` });
    expect([algorithm, await ask(token)]).toEqual([algorithm, 200]);
    expect(await ask(token.replace(/.$/, (last) => (last === "A" ? "B" : "A")).replace(/\.[^.]{4}/, ".AAAA"))).toBe(
      401,
    );
  }
});

test("keys are changed under load without one wrong answer", async () => {
  await provider.rotate(...first);
  const ask = await lock();
  const old = await Promise.all(Array.from({ length: 40 }, () => provider.token("ES256")));
  const before = provider.fetched();
  const answers = [...old.slice(0, 10).map(ask)];
  await Promise.all(answers);
  // As providers do it: for a while both keys are shown, and the new one signs.
  await provider.rotate(...second, ...first);
  answers.push(...old.slice(10, 20).map(ask));
  const young = await Promise.all(Array.from({ length: 40 }, () => provider.token("ES256")));
  expect(decodeProtectedHeader(young[0]!)).toMatchObject({ kid: "second-ES256" });
  young.slice(0, 20).forEach((token, index) => answers.push(ask(token), ask(old[20 + index]!)));
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  expect(provider.fetched() - before).toBe(2);
  // Then the old key goes. It is asked for no longer once another key is unknown.
  await provider.rotate(await createIssuerKey("third-ES256", "ES256"), ...second);
  expect(await ask(await provider.token("ES256"))).toBe(200);
  const late = await Promise.all([...young, ...old].map(ask));
  expect(late).toEqual([...young.map(() => 200), ...old.map(() => 401)]);
});
