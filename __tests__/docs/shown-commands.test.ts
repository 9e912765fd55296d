import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { runCommand } from "../cli/run-waymark.ts";
import { configurationAbove } from "./find-configuration.ts";
import { type DocsPage, readPages } from "./read-pages.ts";

// A block that begins with "$ waymark …" shows what that answers, in a folder with the files that stand above it under
// their names, and with the last configuration above it as gateway.json. A line "…" stands for lines that are left out.

const command = /^\$ waymark (.+)\n([^]*)$/;

// What stands there is seen by the tests of the commands, with files of theirs.
const seenElsewhere = ["docs/cli.md"];

const pages = readPages().filter(
  ({ path, blocks }) => !seenElsewhere.includes(path) && blocks.some(({ code }) => command.test(code)),
);

test.each(pages.map((page) => [page.path, page] as const))("%s shows what its commands answer", async (_path, page) => {
  const folder = await mkdtemp(join(tmpdir(), "waymark-page-"));
  try {
    const { real, shown } = await runShown(page, folder);
    expect(real).toEqual(shown);
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function runShown(page: DocsPage, folder: string): Promise<{ real: string[]; shown: string[] }> {
  const [shown, real]: [string[], string[]] = [[], []];
  for (const block of page.blocks) {
    const [, line, output] = command.exec(block.code) ?? [];
    if (block.file !== undefined) await write(join(folder, block.file), block.code);
    if (line === undefined || output === undefined) continue;
    await write(join(folder, "gateway.json"), configurationAbove(page, block) ?? "");
    const { stdout, stderr } = await runCommand(wordsOf(line), { cwd: folder });
    shown.push(output);
    real.push(isShownBy(output, stdout + stderr) ? output : stdout + stderr);
  }
  return { real, shown };
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

function isShownBy(shown: string, real: string): boolean {
  const pieces = shown.split(/^…\n/m).map((piece) => RegExp.escape(piece));
  return new RegExp(`^${pieces.join("(?:.*\\n)*?")}$`).test(real);
}

test.each([
  ["all of it", "one\ntwo\nthree\n", true],
  ["its beginning and its end", "one\n…\nthree\n", true],
  ["its middle", "…\ntwo\n…\n", true],
  ["a line that it has not", "one\n…\nfour\n", false],
  ["half of a line", "…\nwo\n…\n", false],
  ["its lines in another order", "…\ntwo\n…\none\n…\n", false],
  ["its beginning, as if that were all", "one\ntwo\n", false],
])("the check of shown commands tells whether a block shows %s", (_what, shown, expected) => {
  expect(isShownBy(shown, "one\ntwo\nthree\n")).toBe(expected);
});
