import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { type Ended, runCommand, startWaymark } from "./run-waymark.ts";

const secret = "s3cr3t-of-hooks";
const key = "-----BEGIN PRIVATE KEY-----\nMIIs3cr3t\tQ\u0001KC7\n-----END PRIVATE KEY-----\n";
const word = "s3cr3t_word";
const env = { WORD_TOKEN: word, API_TOKEN: secret, HOOK_KEY: secret.toUpperCase(), SIGNING_KEY: key, REGION: "north" };

let folder: string;
let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream((_req, res) => res.setHeader("content-type", "application/json").end("{}"));
  folder = await mkdtemp(join(tmpdir(), "waymark-secrets-"));
  await writeFile(join(folder, "gateway.json"), configuration("/{id}"));
  await writeFile(join(folder, "next.json"), configuration("/x/{id}"));
  await writeFile(
    join(folder, "broken.json"),
    configuration("/{id}").replace('"Timeout":9', '"Timeout":"${API_TOKEN}"'),
  );
  await writeFile(join(folder, "probes.txt"), `GET /hooks/${secret}/7\n`);
});

afterAll(async () => {
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

function configuration(rest: string): string {
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: upstream.port }];
  return JSON.stringify({
    Routes: [
      {
        UpstreamPathTemplate: "/hooks/${API_TOKEN}/{id}",
        UpstreamHttpMethod: ["GET"],
        DownstreamPathTemplate: "/in/${HOOK_KEY}" + rest,
        DownstreamHostAndPorts,
        Timeout: 9,
        Metadata: {
          region: "${REGION}",
          note: "see ${API_TOKEN}",
          pem: "${SIGNING_KEY}",
          oauth: { issuer: "me", pem: "${SIGNING_KEY}" },
          list: ["${SIGNING_KEY}"],
          nested: { inner: [{ pem: "-- ${SIGNING_KEY}" }] },
          backend: { password: "p4ss" },
          db: '{"pwd":"p4ss"}',
          "db.pwd": "p4ss",
          credentials: "p4ss",
          jwt: "p4ss",
          passphrase: "p4ss",
          authorization: "p4ss",
        },
      },
      {
        Key: "words",
        UpstreamPathTemplate: "/words/{${WORD_TOKEN}}",
        UpstreamHttpMethod: ["GET", "${WORD_TOKEN}"],
        DownstreamPathTemplate: "/words/{${WORD_TOKEN}}",
        DownstreamHostAndPorts,
      },
      {
        Key: "other",
        UpstreamPathTemplate: "/other",
        UpstreamHeaderTemplates: { "X-Team": "${API_TOKEN}" },
        DownstreamPathTemplate: "/other",
        DownstreamHostAndPorts,
      },
    ],
  });
}

function expectNoSecret(text: string): void {
  expect(text).not.toMatch(/s3cr3t|p4ss|MII/i);
}

test.each<[words: string[], shown: string, code: number]>([
  [["routes", "gateway.json"], "/hooks/***/{id}", 0],
  [["routes", "gateway.json", "--format", "json"], "/hooks/***/{id}", 0],
  [["explain", "gateway.json", "GET", `/hooks/${secret}/7`], "/in/***/7", 0],
  [["explain", "gateway.json", "GET", `/hooks/${secret}/7`, "--format", "json"], "/in/***/7", 0],
  [["explain", "gateway.json", "GET", "/words/7"], "{***}", 0],
  [["explain", "gateway.json", "GET", "/words/7", "--format", "json"], "{***}", 0],
  [["explain", "gateway.json", "GET", "/hooks/other/7"], "/hooks/***/{id}", 1],
  [["explain", "gateway.json", "GET", "/other", "--header", "X-Team: a"], "***", 1],
  [["diff", "gateway.json", "next.json", "--probe", "probes.txt"], "/hooks/***/{id}", 1],
  [["check", "broken.json"], "***", 1],
])("%s shows no value of a variable that is named like a secret", async ([name = "", ...words], shown, code) => {
  const ended: Ended = await runCommand([name, ...words, "--env"], { cwd: folder, env });
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code, stderr: "" });
  expect(ended.stdout).toContain(shown);
  expectNoSecret(ended.stdout);
});

test.each([["text"], ["json"], ["sarif"]])("waymark check --format %s quotes no secret of the file", async (format) => {
  const AddHeadersToRequest = { Authorization: `Bearer ${secret}`, "X-From": "shown" };
  const route = { UpstreamPathTemplate: "/a", DownstreamPathTemplate: "/a", AddHeadersToRequest };
  await writeFile(
    join(folder, "quoting.json"),
    JSON.stringify(
      { Routes: [{ ...route, DownstreamHostAndPorts: [{ Host: `http://u:${secret}@h` }] }] },
      undefined,
      1,
    ),
  );
  const { stdout } = await runCommand(["check", "quoting.json", "--format", format], { cwd: folder });
  for (const told of ["claims-literal", "host-invalid", "shown"]) expect(stdout).toContain(told);
  expectNoSecret(stdout);
});

test.each(["header", "json"])("waymark serve --metadata %s tells no secret, and its log has none", async (where) => {
  const words = ["serve", "gateway.json", "--env", "--port", "0", "--metadata", where];
  const service = startWaymark(words, { cwd: folder, env });
  const { port } = await service.line(({ msg }) => msg.startsWith("Listening on "));
  const origin = `http://127.0.0.1:${String(port)}`;
  const answer = await fetch(`${origin}/hooks/${secret}/7`);
  expect(answer.headers.get("gw-route-metadata")).toBe('{"region":"north"}');
  expectNoSecret(await answer.text());
  await fetch(`${origin}/hooks/${secret}`, { method: "POST" });
  expect(await service.line(({ status }) => status === 200)).toMatchObject({ path: "/hooks/***/7" });
  expect(await service.line(({ status }) => status === 404)).toMatchObject({ path: "/hooks/***" });
  service.signal("SIGTERM");
  const { stdout, stderr } = await service.ended;
  expectNoSecret(stdout + stderr);
});
