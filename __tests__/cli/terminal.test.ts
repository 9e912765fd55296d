import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Ended, runCommand, runWaymark } from "./run-waymark.ts";

/**
 * What terminals obey: the title, a cursor, one character of the upper controls, the direction of text, another line; and
 * what nobody sees: blanks without a width, marks of byte order, tags, what joins or chooses characters.
 */
const attack =
  "\u001b]0;x\u0007\u001b[2J\u009b31m\u202e\u2066\u061ca\u200b\ufeffb\u00ad\u2060\u200d\u{e0041}\ufe0f\u3164c\rd\ne";
const fileName = `${attack.replaceAll("/", "")}.json`;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-terminal-"));
  await writeFile(join(folder, fileName), "{}");
  await writeFile(join(folder, "broken.json"), JSON.stringify({ Routes: [{ [attack]: 1, Key: attack }] }));
  await writeFile(join(folder, `broken${fileName}`), '{ "Routes": [{ "Priority": "x" }] }');
  await writeFile(join(folder, "one.json"), configuration(attack, "/a"));
  await writeFile(join(folder, "two.json"), configuration(`${attack}2`, "/a"));
  await writeFile(join(folder, "probes.txt"), "GET /a\n");
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function configuration(key: string, path: string): string {
  const DownstreamHostAndPorts = [{ Host: "a.test" }];
  const paths = { UpstreamPathTemplate: path, DownstreamPathTemplate: path };
  return JSON.stringify({ Routes: [{ ...paths, Key: key, DownstreamHostAndPorts, Metadata: { [key]: key } }] });
}

const obeyed =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe0f\ufeff\u{e0000}-\u{e0fff}]/u;

test.each<[words: string[]]>([
  [["check", fileName]],
  [["check", `broken${fileName}`]],
  [["check", "broken.json"]],
  [["check", "--format", "json", fileName, "broken.json"]],
  [["check", "--format", "sarif", fileName, "broken.json"]],
  [["routes", `broken${fileName}`]],
  [["routes", `missing${fileName}`]],
  [["explain", "one.json", "GET", "/a"]],
  [["explain", "one.json", "GET", "/b", "--host", "a\u009b"]],
  [["explain", "one.json", "GET", "/a", "--format", "json"]],
  [["explain", "one.json", "GET", attack]],
  [["routes", "one.json"]],
  [["routes", "one.json", "--format", "json"]],
  [["diff", "one.json", "two.json", "--probe", "probes.txt"]],
  [["diff", "one.json", "two.json", "--format", "json"]],
  [[attack]],
  [["check", attack]],
  [["check", `--${attack}`]],
])("waymark %j prints nothing that a terminal obeys", async (words) => {
  expectHarmless(await runCommand(words, { cwd: folder }));
});

test("waymark serve prints nothing that a terminal obeys", async () => {
  expectHarmless(await runWaymark(["serve", `broken${fileName}`], { cwd: folder }));
});

function expectHarmless({ stdout, stderr }: Ended): void {
  expect(stdout + stderr).not.toBe("");
  expect(stdout + stderr).not.toMatch(obeyed);
  // No line begins with what follows the line feed.
  expect(stdout + stderr).not.toMatch(/^e/m);
}

test("JSON that is printed means what it meant", async () => {
  const { stdout } = await runCommand(["routes", "one.json", "--format", "json"], { cwd: folder });
  expect(JSON.parse(stdout)).toMatchObject([{ id: attack }]);
});

test("the program's own colours are colours, and those of a name are not", async () => {
  const { stdout } = await runCommand(["check", fileName], { cwd: folder, env: { FORCE_COLOR: "1" } });
  expect(stdout).toMatch(/\u001b\[1m.*\u001b\[22m/);
  expect(stdout.replace(/\u001b\[\d+m/g, "")).not.toMatch(obeyed);
  expect(stdout).toContain(String.raw`\u009b31m`);
});
