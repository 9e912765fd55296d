import { open, stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { nowhere } from "../../json/json-node.ts";
import { refuse } from "../refuse-or-warn.ts";
import type { ParseOptions } from "../parse-options.ts";
import { createOrigin } from "../problems/origin.ts";
import { checkFileChoice, type FileChoice } from "./file-choice-options.ts";
import { stateIn, statesOf } from "./file-states.ts";
import { findFiles, type FoundFiles, NothingFound } from "./find-files.ts";
import type { SourceFile, Sources } from "./sources.ts";

/** How a configuration is loaded: how it is read, and which files it is made of. */
export type LoadOptions = ParseOptions & FileChoice;

/** The sources as they lie on the disk now, and the folders in which more of them may come to lie. */
type ReadSources = Readonly<{ sources: Sources; folders: readonly string[] }>;

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a directory",
  EACCES: "the permission to read it is missing",
};

// Milliseconds before the files are read once more.
const pauses = [10, 20, 40, 80, 160, 320, 0];

/**
 * Reads all that a configuration is made of, as it lies there at one moment; throws a `ConfigError` that says which file
 * cannot be read.
 */
export async function readSources(paths: string | readonly string[], options: LoadOptions): Promise<ReadSources> {
  const given = typeof paths === "string" ? [paths] : paths;
  const name = options.file ?? nameOf(given);
  for (const pause of pauses) {
    const found = await find(given, options);
    const reading = readFound(found, name, options);
    await reading.catch(ignore);
    const isStill = await find(given, options).then((again) => again.state === found.state, ignore);
    if (isStill) {
      const read = await reading;
      if (read !== undefined) return read;
    }
    await wait(pause);
    await refusePipes(found.files, options);
  }
  return refuseFile(name, options, keptChanging());
}

/**
 * The same where they have been read before: in the place of a file may stand a pipe without a writer, which would never
 * end.
 */
export async function rereadSources(paths: string | readonly string[], options: LoadOptions): Promise<ReadSources> {
  const { files } = await find(typeof paths === "string" ? [paths] : paths, options);
  await refusePipes(files, options);
  return readSources(paths, options);
}

/** Whoever watches tries again. */
function keptChanging(): Error {
  return Object.assign(new Error("its files kept changing while they were read"), { code: "EAGAIN" });
}

async function refusePipes(files: FoundFiles["files"], options: LoadOptions): Promise<void> {
  for (const { path } of files) {
    const isPipe = await stat(path).then((found) => !found.isFile() && !found.isDirectory(), ignore);
    if (isPipe) refuseFile(path, options, new Error("it is a pipe or a device now, which cannot be read again"));
  }
}

/** Undefined where a file is not the one that was found. */
async function readFound(
  { files, states, passedOver, folders }: FoundNow,
  name: string,
  options: LoadOptions,
): Promise<ReadSources | undefined> {
  const read: SourceFile[] = [];
  const room = { bytes: mostMegabytes * 1_048_576 };
  for (const [index, file] of files.entries()) {
    const { bytes, state } = await readBytes(file.path, room).catch((error: unknown) =>
      refuseFile(file.path, options, error),
    );
    if (!states[index]!.startsWith(state)) return undefined;
    read.push({ ...file, text: decode(bytes) });
  }
  return { sources: { name, files: read, passedOver }, folders };
}

function ignore(): boolean {
  return false;
}

/** What was found, and what tells it from everything else that may lie there. */
type FoundNow = FoundFiles & Readonly<{ states: readonly string[]; state: string }>;

async function find(paths: readonly string[], options: LoadOptions): Promise<FoundNow> {
  try {
    const found = await findFiles(paths, checkFileChoice(options));
    const states = await statesOf(found.files.map(({ path }) => path));
    return { ...found, states: states.split("\n"), state: `${JSON.stringify(found)}\n${states}` };
  } catch (error) {
    if (error instanceof NothingFound) return refuseFile(error.path, options, error.cause ?? error, error.message);
    throw error;
  }
}

function nameOf(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

const mostMegabytes = 64;

/** A device, or a pipe, may go on for ever. */
async function readBytes(path: string, room: { bytes: number }): Promise<Readonly<{ bytes: Buffer; state: string }>> {
  const file = await open(path);
  const pieces: Buffer[] = [];
  try {
    const state = stateIn(await file.stat({ bigint: true }));
    for await (const piece of file.createReadStream() as AsyncIterable<Buffer>) {
      pieces.push(piece);
      room.bytes -= piece.length;
      if (room.bytes < 0) throw new Error(`it has more than ${mostMegabytes} MiB, all files together`);
    }
    return { bytes: Buffer.concat(pieces), state };
  } finally {
    await file.close();
  }
}

function refuseFile(path: string, options: LoadOptions, cause: unknown, known?: string): never {
  const { code = "", message } = cause as NodeJS.ErrnoException;
  const reason = known ?? reasons[code] ?? message;
  const finding = {
    code: "file-unreadable",
    path: "",
    message: `cannot read the configuration ${JSON.stringify(path)}: ${reason} (the working directory is ${JSON.stringify(process.cwd())})`,
    span: nowhere,
  } as const;
  return refuse([finding], createOrigin(options.file ?? path), options, cause);
}

/** UTF-8, or the UTF-16 that some Windows tools write; a BOM says which. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder("utf-8").decode(bytes);
}
