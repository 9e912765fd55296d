import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";

/** What stands in the files that a configuration names, certificates and keys, by their paths. */
export type NamedFiles = ReadonlyMap<string, Buffer>;

let kept: NamedFiles = new Map();

/** From here on these files are what they are said to be, whatever lies there; returns those of which that was said before. */
export function keepNamedFiles(files: NamedFiles): NamedFiles {
  const before = kept;
  kept = files;
  return before;
}

/** Reads a file that a configuration names. */
export function readNamedFile(path: string): Buffer {
  return kept.get(path) ?? readWholeFile(path);
}

/** Reads those of the files that can be read; whoever needs another one finds out why it cannot. */
export function readNamedFiles(paths: Iterable<string>): NamedFiles {
  const files = new Map<string, Buffer>();
  for (const path of paths) {
    try {
      files.set(path, readWholeFile(path));
    } catch {
      continue;
    }
  }
  return files;
}

const largestFile = 16 * 1024 * 1024;

// A pipe to which nobody writes would hold up whoever opens it, the whole process or a thread, until somebody does.
const atOnce = constants.O_RDONLY | constants.O_NONBLOCK;

function readWholeFile(path: string): Buffer {
  const file = openSync(path, atOnce);
  try {
    refuseEndless(fstatSync(file));
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Reads a file that a configuration names and that may be another one each time, while other work goes on. */
export async function readChangingFile(path: string): Promise<Buffer> {
  const file = await open(path, atOnce);
  try {
    refuseEndless(await file.stat());
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** A device may never end. */
function refuseEndless(stat: Stats): void {
  if (!stat.isFile()) throw new Error("It is no regular file.");
  if (stat.size > largestFile) throw new Error(`It is larger than ${largestFile} bytes.`);
}
