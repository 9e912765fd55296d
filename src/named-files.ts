import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
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
const pieceBytes = 65_536;

// A pipe to which nobody writes would hold up whoever opens it, the whole process or a thread, until somebody does.
const atOnce = constants.O_RDONLY | constants.O_NONBLOCK;

function readWholeFile(path: string): Buffer {
  const file = openSync(path, atOnce);
  try {
    refuseEndless(fstatSync(file));
    const pieces = createPieces();
    for (let piece = nextPiece(); pieces.add(piece, readSync(file, piece)); piece = nextPiece());
    return pieces.all();
  } finally {
    closeSync(file);
  }
}

/** Reads a file that a configuration names and that may be another one each time, while other work goes on. */
export async function readChangingFile(path: string): Promise<Buffer> {
  const file = await open(path, atOnce);
  try {
    refuseEndless(await file.stat());
    const pieces = createPieces();
    for (let piece = nextPiece(); pieces.add(piece, (await file.read(piece)).bytesRead); piece = nextPiece());
    return pieces.all();
  } finally {
    await file.close();
  }
}

/** A device may never end. */
function refuseEndless(stat: Stats): void {
  if (!stat.isFile()) throw new Error("It is no regular file.");
  if (stat.size > largestFile) throw tooLarge();
}

/** What has been read of a file: those that a system makes up say that they are empty, and may never end. */
type Pieces = Readonly<{
  /** Adds what was read into a piece; false at the end. */
  add: (piece: Buffer, bytes: number) => boolean;
  all: () => Buffer;
}>;

function createPieces(): Pieces {
  const pieces: Buffer[] = [];
  let length = 0;
  return { add, all: () => Buffer.concat(pieces) };

  function add(piece: Buffer, bytes: number): boolean {
    length += bytes;
    if (length > largestFile) throw tooLarge();
    pieces.push(piece.subarray(0, bytes));
    return bytes > 0;
  }
}

function nextPiece(): Buffer {
  return Buffer.allocUnsafe(pieceBytes);
}

function tooLarge(): Error {
  return new Error(`It is larger than ${largestFile} bytes.`);
}
