import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { loadingPacked } from "../helpers/load-packed.ts";
import { atTop, type Block } from "./read-pages.ts";

/** A block, the configuration that stands above it, and the files that its page shows under their names. */
export type RunnableBlock = Readonly<{
  block: Block;
  configuration: string | undefined;
  files?: readonly Readonly<{ path: string; text: string }>[];
}>;

/** How a block ended. */
export type BlockEnd = Readonly<{ code: number | "did not end by itself"; stdout: string; stderr: string }>;

const program = atTop("__tests__/docs/block-process.mjs");
const flags = ["--disable-warning=ExperimentalWarning", ...loadingPacked];
const longestRun = 30_000;

/**
 * Runs blocks one after the other, each in a folder of its own, where `gateway.json` is its configuration. They share a
 * process, as starting one costs more than most blocks do, until one of them fails.
 */
export async function runBlocks(blocks: readonly RunnableBlock[]): Promise<BlockEnd[]> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-docs-"));
  try {
    const files = await Promise.all(blocks.map((block, index) => writeBlock(block, join(folder, String(index)))));
    const ends: BlockEnd[] = [];
    while (ends.length < files.length) ends.push(...(await runInProcess(files.slice(ends.length))));
    return ends;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeBlock({ block, configuration, files = [] }: RunnableBlock, folder: string): Promise<string> {
  const file = join(folder, block.language === "ts" ? "block.mts" : "block.mjs");
  await mkdir(folder);
  await writeFile(file, block.code);
  for (const { path, text } of files) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  if (configuration !== undefined) await writeFile(join(folder, "gateway.json"), configuration);
  return file;
}

/** Runs blocks up to the first that fails, and that one included. */
async function runInProcess(files: readonly string[]): Promise<BlockEnd[]> {
  const ends: BlockEnd[] = [];
  const child = spawn(process.execPath, [...flags, program, ...files], {
    stdio: ["ignore", "inherit", "inherit", "pipe"],
  });
  const exited = once(child, "exit");
  let patience = setTimeout(giveUp, longestRun);
  for await (const line of createInterface(child.stdio[3] as Readable)) {
    ends.push(JSON.parse(line) as BlockEnd);
    clearTimeout(patience);
    patience = setTimeout(giveUp, longestRun);
  }
  clearTimeout(patience);
  const [code] = (await exited) as [number];
  // A process that fell over has told nothing of the block that it ran.
  return ends.length > 0 ? ends : [{ code, stdout: "", stderr: "" }];

  function giveUp(): void {
    child.kill("SIGKILL");
    ends.push({ code: "did not end by itself", stdout: "", stderr: "" });
  }
}
