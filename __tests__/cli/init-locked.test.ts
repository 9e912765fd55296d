import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { request } from "../helpers/send-raw.ts";
import { runCommand, startWaymark } from "./run-waymark.ts";

let folder: string;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-init-"));
  const { code, stdout } = await runCommand(["init", "--auth"], { cwd: folder });
  expect(code).toBe(0);
  key = /^The first API key, shown only now: ([\w-]{32})$/m.exec(stdout)![1]!;
});

afterAll(() => rm(folder, { recursive: true }));

test("init --auth is a configuration without problems, and check tells who may come in", async () => {
  expect(await runCommand(["check", "--strict", "gateway.json"], { cwd: folder })).toEqual({
    code: 0,
    stderr: "",
    stdout: `gateway.json: no problems
  Who may come in:
    /orders/{id}  Bearer, scope orders.read or orders.write
    GET /prices   Partners or Bearer
    /help         anybody
`,
  });
});

test("it does not hold the key, and each time the key is another one", async () => {
  expect(await readFile(join(folder, "gateway.json"), "utf8")).not.toContain(key);
  const { stdout } = await runCommand(["init", "--auth", "other.json"], { cwd: folder });
  expect(stdout).not.toContain(key);
});

test("it starts, lets the key in and nobody else, and its log tells who was let in", async () => {
  const running = startWaymark(["serve", "gateway.json", "--port", "0", "--log-identity"], { cwd: folder });
  try {
    const { port } = (await running.line(({ msg }) => msg.startsWith("Listening"))) as unknown as { port: number };
    const ask = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
      (await request({ port, path, headers })).status;
    expect(await ask("/prices")).toBe(401);
    expect(await ask("/orders/1", { "x-api-key": key })).toBe(401);
    // Nothing listens where these lead.
    expect(await ask("/prices", { "x-api-key": key })).toBe(502);
    expect(await ask("/help")).toBe(502);
    const { identity } = await running.line(
      ({ route, path, status }) => path === "/prices" && route === "prices" && status === 502,
    );
    expect(identity).toEqual({ scheme: "Partners", id: expect.stringMatching(/^[\w-]{16}$/) });
  } finally {
    running.signal("SIGINT");
  }
  const { stdout } = await running.ended;
  expect(stdout).not.toContain(key);
});
