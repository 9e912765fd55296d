import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { runCommand } from "../cli/run-waymark.ts";
import { readPages } from "../docs/read-pages.ts";

test.each([
  ["docs/files.md", 2],
  ["docs/explaining.md", 3],
])("%s shows what its commands answer, with the files that stand above them", async (path, count) => {
  const page = readPages().find((one) => one.path === path)!;
  const folder = await mkdtemp(join(tmpdir(), "waymark-page-"));
  const [shown, real]: string[][] = [[], []];
  for (const { file, code } of page.blocks) {
    const [, line, output] = /^\$ waymark (.+)\n([^]*)$/.exec(code) ?? [];
    if (file !== undefined) {
      await mkdir(join(folder, dirname(file)), { recursive: true });
      await writeFile(join(folder, file), code);
    } else if (line !== undefined) {
      const { stdout, stderr } = await runCommand(line.split(" "), { cwd: folder });
      shown!.push(output!);
      real!.push(stdout + stderr);
    }
  }
  await rm(folder, { recursive: true });

  expect(real).toEqual(shown);
  expect(shown).toHaveLength(count);
});
