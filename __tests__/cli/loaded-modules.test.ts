import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { loadingPacked } from "../helpers/load-packed.ts";

const run = promisify(execFile);
const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

/** Writes the files of the package that are loaded to stderr. */
const telling = `
import { registerHooks } from "node:module";
registerHooks({
  load(url, context, next) {
    if (url.includes("/src/")) process.stderr.write(url.replace(/^.*\\/src\\//, "") + "\\n");
    return next(url, context);
  },
});`;

async function filesLoadedBy(command: string): Promise<readonly string[]> {
  const preload = `data:text/javascript,${encodeURIComponent(telling)}`;
  const { stderr } = await run(process.execPath, [...loadingPacked, "--import", preload, main, command]);
  return stderr.split("\n").filter((line) => line.endsWith(".ts"));
}

test("a command loads what it is made of, and no other command", async () => {
  const [shown, described] = await Promise.all([filesLoadedBy("--version"), filesLoadedBy("schema")]);
  expect(shown).toContain("cli/read-version.ts");
  expect(shown.filter((file) => !/^(cli|logging|unattended)\/|^[^/]+$/.test(file))).toEqual([]);
  expect(described).toContain("config/json-schema.ts");
  expect(described.filter((file) => /^(compiling|exchange|explain|cli\/serve)\//.test(file))).toEqual([]);
});
