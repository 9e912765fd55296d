import { expect, test } from "@jest/globals";
import { explainRequest } from "../../src/explain/explain-request.ts";
import { maskByConfig } from "../../src/explain/mask-by-config.ts";
import {
  accessLog,
  type Authenticator,
  type ConfigError,
  createGateway,
  type GatewayConfig,
  parseConfig,
} from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { serve, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const Sha256 = "83b9d507afbadf51b9afe38f69814d915decd7f6e67f537213b01487a82c1ad8";
const keys = { Type: "ApiKey", Keys: [{ Name: "acme", Sha256 }] };
const tokens = { Type: "Jwt", Issuer: "me", Audience: false, Secret: "a-secret-of-at-least-32-bytes-for-hs256" };
const value = "hunter2-hunter2";

function parse(scheme: object, port = 80): GatewayConfig {
  const target = { DownstreamPathTemplate: "/", DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }] };
  const GlobalConfiguration = { AuthenticationSchemes: { Own: scheme } };
  return parseConfig({ Routes: [{ UpstreamPathTemplate: "/", ...target }], GlobalConfiguration }, { logger: false });
}

test("an explanation shows neither headers nor parameters in which a scheme reads credentials", () => {
  for (const scheme of [
    { ...keys, Header: "X-Tenant-Door" },
    { ...tokens, From: "Query:door" },
  ]) {
    const config = parse(scheme);
    const explanation = explainRequest(config, {
      method: "GET",
      path: `/?door=${value}`,
      headers: { "x-tenant-door": value, "x-other": "shown" },
    });
    const shown = JSON.stringify(maskByConfig(config, explanation));
    expect(shown).toContain("shown");
    if ("From" in scheme) expect(shown).not.toContain(`door=${value}`);
    else expect(shown).not.toContain(`"x-tenant-door":"${value}"`);
  }
});

test("a log shows no parameter in which a scheme of the user's own reads credentials", async () => {
  const upstream = await startUpstream();
  const Own: Authenticator = Object.assign(() => undefined, { reads: { query: ["gate"] } });
  const lines: object[] = [];
  const target = { DownstreamPathTemplate: "/", DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }] };
  const running = await startGateway(
    { Routes: [{ UpstreamPathTemplate: "/", ...target }] },
    { authentication: { Own }, observers: [accessLog({ info: (fields) => lines.push(fields) })] },
  );
  await request({ port: running.port, path: `/?gate=${value}&a=1` });
  await Promise.all([running.close(), upstream.close()]);
  expect(JSON.stringify(lines)).toContain("gate=***");
  expect(JSON.stringify(lines)).not.toContain(value);
});

test("what the schemes of one gateway read is no secret of another gateway in the process", async () => {
  const upstream = await startUpstream();
  const lines: object[] = [];
  const observers = [accessLog({ info: (fields) => lines.push(fields) })];
  const Own: Authenticator = Object.assign(() => undefined, { reads: { query: ["hatch"] } });
  parse({ ...tokens, From: "Query:wicket" });
  const locked = parse({ ...tokens, From: "Query:porch" }, upstream.port);
  const gateways = [
    createGateway(locked, { authentication: { Own }, observers, logger: false }),
    createGateway(locked, { observers, logger: false }),
    createGateway(parseConfig({ Routes: locked.routes }, { logger: false }), { observers, logger: false }),
  ];
  for (const gateway of gateways) {
    const { port, close } = await serve((req, res) => gateway(req, res), gateway);
    await request({ port, path: "/?hatch=1&wicket=2&porch=3" });
    await close();
  }
  await upstream.close();
  const [ownNames, sameFile, otherFile] = lines.map((line) => (line as { path: string }).path);
  expect({ ownNames, sameFile, otherFile }).toEqual({
    ownNames: "/?hatch=***&wicket=2&porch=***",
    // A configuration with two gateways is masked by the schemes of both.
    sameFile: "/?hatch=***&wicket=2&porch=***",
    otherFile: "/?hatch=1&wicket=2&porch=3",
  });
});

test.each<[string, string, string | undefined]>([
  ["an ordinary name is fine", "X-Partner", undefined],
  ["a name with a blank is none", "X Partner", "header-name-invalid"],
  ["the host", "Host", "header-name-reserved"],
  ["cookies", "Cookie", "header-name-reserved"],
  ["what belongs to tokens", "authorization", "header-name-reserved"],
  ["what belongs to a connection", "Connection", "header-name-reserved"],
  ["the length of a body", "Content-Length", "header-name-reserved"],
])("the header of a key: %s", (_title, Header, code) => {
  const codes = codesOf(() => parse({ ...keys, Header }));
  expect(codes).toEqual(code === undefined ? [] : [code]);
});

test.each<[string, string, string[]]>([
  ["as it is", `"Secret": "${tokens.Secret}"`, ["secret-literal"]],
  ["as a variable", '"Secret": "${SIGNING}"', []],
  ["with a variable in it", '"Secret": "a-prefix-${SIGNING}"', []],
  ["as a variable with another name for its key", '"secret": "${SIGNING}"', []],
])("a secret that is written %s in a file", (_title, member, warned) => {
  const scheme = `{ "Type": "Jwt", "Issuer": "me", "Audience": false, ${member} }`;
  const text = `{ "Routes": [], "GlobalConfiguration": { "AuthenticationSchemes": { "Own": ${scheme} } } }`;
  const config = parseConfig(text, { logger: false, environment: { SIGNING: tokens.Secret } });
  expect(config.warnings.map(({ code }) => code).filter((code) => code !== "no-routes")).toEqual(warned);
});

test("a secret that code has put into an object is in no file", () => {
  expect(parse(tokens).warnings).toEqual([]);
});

function codesOf(read: () => GatewayConfig): string[] {
  try {
    return read().warnings.map(({ code }) => code);
  } catch (error) {
    return (error as ConfigError).problems.map(({ code }) => code);
  }
}
