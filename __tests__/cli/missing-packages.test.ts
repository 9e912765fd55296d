import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { waymarkMain } from "./run-waymark.ts";

const run = promisify(execFile);

/** Lets no package be found that only some need. */
const hiding = `
import { registerHooks } from "node:module";
registerHooks({
  resolve(name, context, next) {
    if (name === "jose" || name === "@redis/client") throw Object.assign(new Error(name), { code: "MODULE_NOT_FOUND" });
    return next(name, context);
  },
});`;
const preload = `data:text/javascript,${encodeURIComponent(hiding)}`;

const begin = "  It starts only with packages that are not installed here:\n";
const jose = '    Schemes of "Type": "Jwt" need the package jose: npm install jose\n';
const redis = "    Counting in Redis needs the package @redis/client: npm install @redis/client\n";
const Jwt = { Type: "Jwt", Issuer: "https://login.example.org", Audience: "api" };
const Introspection = { ...Jwt, Type: "Introspection", Url: "https://a.example", ClientId: "a", ClientSecret: "${S}" };

test.each<[what: string, global: object, words: string[], tells: string]>([
  ["jose", { AuthenticationSchemes: { Introspection, Jwt } }, ["--import", preload], begin + jose],
  ["a client of Redis", { Redis: { Url: "redis://localhost" } }, ["--import", preload], begin + redis],
  ["nothing, where all is there", { AuthenticationSchemes: { Jwt }, Redis: { Url: "redis://localhost" } }, [], ""],
  ["nothing, where none is needed", { AuthenticationSchemes: { Introspection } }, ["--import", preload], ""],
])("waymark check tells that a package is missing: %s", async (_what, GlobalConfiguration, words, tells) => {
  const folder = await mkdtemp(join(tmpdir(), "waymark-check-"));
  const file = join(folder, "gateway.json");
  const route = { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [{ Host: "a" }] };
  await writeFile(file, JSON.stringify({ Routes: [route], GlobalConfiguration }));
  const env = { ...process.env, S: "secret", FORCE_COLOR: undefined };
  const { stdout } = await run(process.execPath, [...words, waymarkMain, "check", "--env", file], { env });
  await rm(folder, { recursive: true });
  expect(stdout.split("Anybody may come in, on every route.\n")[1]).toBe(tells);
});
