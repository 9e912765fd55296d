/**
 * `npm run bench` compares all contenders in all cases; `-- --quick` in some, in under a minute; `-- --only "small GET"`
 * in one. `npm run bench -- routes` runs bench/routes.ts, and so on; what follows the name is handed on.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { compare } from "./compare.ts";

const [name, ...rest] = process.argv.slice(2);

process.exitCode = name === undefined || name.startsWith("-") ? await runComparison() : runOther(name);

async function runComparison(): Promise<number> {
  const { quick, only } = parseArgs({
    options: { quick: { type: "boolean", default: false }, only: { type: "string" } },
  }).values;
  return (await compare(quick, only)) ? 0 : 1;
}

function runOther(other: string): number {
  const file = fileURLToPath(new URL(`${other}.ts`, import.meta.url));
  if (existsSync(file))
    return spawnSync(process.execPath, ["--expose-gc", file, ...rest], { stdio: "inherit" }).status ?? 1;
  console.error(`There is no bench/${other}.ts.`);
  return 1;
}
