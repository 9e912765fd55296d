import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runProgram } from "../../src/cli/program.ts";

/** A folder with files, which a test removes. */
export type Folder = Readonly<{
  path: string;
  write: (files: Readonly<Record<string, unknown>>) => Promise<void>;
  remove: () => Promise<void>;
}>;

/** Makes a folder; a file that is given as an object becomes its JSON text. */
export async function writeFolder(files: Readonly<Record<string, unknown>>): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), "waymark-files-"));
  await write(files);
  return { path, write, remove: () => rm(path, { recursive: true, force: true }) };

  async function write(others: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [name, content] of Object.entries(others)) {
      const file = join(path, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
    }
  }
}

/** Runs the program within this process. */
export async function run(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const output = { code: -1, stdout: "", stderr: "" };
  output.code = await runProgram(words, {
    write: (text) => void (output.stdout += text),
    complain: (text) => void (output.stderr += text),
    style: (_format, text) => text,
    read: () => Promise.resolve(""),
    environment: {},
  });
  return output;
}
