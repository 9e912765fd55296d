import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atTop, type Block } from "./read-pages.ts";

/** How a block ended. */
export type BlockEnd = Readonly<{ code: number | string | null; stdout: string; stderr: string }>;

const setup = atTop("__tests__/docs/block-setup.mjs");
const longestRun = 30_000;

/** Runs a block in a process and a folder of its own, where `gateway.json` is the configuration that stands above it. */
export async function runBlock({ language, code }: Block, configuration: string | undefined): Promise<BlockEnd> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-docs-"));
  try {
    const file = join(folder, language === "ts" ? "block.mts" : "block.mjs");
    await writeFile(file, code);
    if (configuration !== undefined) await writeFile(join(folder, "gateway.json"), configuration);
    return await run(file, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(file: string, folder: string): Promise<BlockEnd> {
  const parts = ["--disable-warning=ExperimentalWarning", "--import", setup, file];
  return new Promise((resolve) => {
    execFile(process.execPath, parts, { cwd: folder, timeout: longestRun }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.killed ? "did not end by itself" : (error.code ?? null);
      resolve({ code, stdout, stderr });
    });
  });
}
