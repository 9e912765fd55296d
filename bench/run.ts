/**
 * `npm run bench` compares all contenders in all cases; `-- --quick` in some, in under a minute; `-- --only "small GET"`
 * in one. `npm run bench -- routes` runs bench/routes.ts, and so on; what follows the name is handed on.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { compare } from "./compare.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, only: { type: "string" } },
});
const [name, ...rest] = positionals;

if (name === undefined) process.exitCode = (await compare(values.quick, values.only)) ? 0 : 1;
else process.exitCode = runOther(name);

function runOther(other: string): number {
  const file = fileURLToPath(new URL(`${other}.ts`, import.meta.url));
  if (existsSync(file))
    return spawnSync(process.execPath, ["--expose-gc", file, ...rest], { stdio: "inherit" }).status ?? 1;
  console.error(`There is no bench/${other}.ts.`);
  return 1;
}
