import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { loadingPacked } from "../helpers/load-packed.ts";
import metadata from "../../package.json" with { type: "json" };

const run = promisify(execFile);
const message = "waymark needs Node.js 22.15 or newer; this is 20.20.2.";

/** What Node 20 says of itself, and lacks. */
const pretending = `
Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
delete Map.groupBy;`;

const entries = Object.values(metadata.exports)
  .flatMap((entry) => (typeof entry === "string" ? [] : [entry.default]))
  .map((file) => new URL(file.replace("./dist/", "../../src/").replace(/js$/, "ts"), import.meta.url).href);
const program = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

function runOld(...words: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const preload = `data:text/javascript,${encodeURIComponent(pretending)}`;
  return run(process.execPath, ["--import", preload, ...loadingPacked, ...words]).catch(
    (error: unknown) => error as never,
  );
}

test("on an older Node each entry says which one it needs, before anything of it fails", async () => {
  const load = `for (const entry of ${JSON.stringify(entries)}) await import(entry).catch(({ message }) => console.log(message))`;
  const { stdout } = await runOld("--input-type=module", "--eval", load);
  expect(stdout.trim().split("\n")).toEqual(entries.map(() => message));
  expect(entries.length).toBeGreaterThan(7);
});

test("on an older Node the program says the same", async () => {
  expect(await runOld(program, "--version")).toMatchObject({ code: 2, stderr: `${message}\n` });
});
