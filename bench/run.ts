/** `npm run bench` compares all contenders, `-- --quick` in under a minute, `-- --only "small GET"` in one case; `-- <name>` runs bench/<name>.ts. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { compare } from "./compare.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, only: { type: "string" } },
});
const [name] = positionals;

if (name === undefined) process.exitCode = (await compare(values.quick, values.only)) ? 0 : 1;
else process.exitCode = runOther(name);

function runOther(other: string): number {
  const file = fileURLToPath(new URL(`${other}.ts`, import.meta.url));
  if (existsSync(file)) return spawnSync(process.execPath, ["--expose-gc", file], { stdio: "inherit" }).status ?? 1;
  console.error(`There is no bench/${other}.ts.`);
  return 1;
}
