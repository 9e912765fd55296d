import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { refuseUnknownOptions } from "../options/refuse-unknown-options.ts";
import type { GatewayConfig } from "./gateway-config.ts";
import { nowhere } from "../json/json-node.ts";
import { parseConfig, parseOptionNames, refuse, type ParseOptions } from "./parse-config.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a directory",
  EACCES: "the permission to read it is missing",
};

/** Reads a configuration from a file; throws one `ConfigError` that lists every problem, a missing file included. */
export async function loadConfig(path: string, options: ParseOptions = {}): Promise<GatewayConfig> {
  refuseUnknownOptions(options, parseOptionNames, "loadConfig()");
  const named = { ...options, file: options.file ?? path };
  return parseConfig(await readConfigText(path, named), named);
}

/** Reads the text of a configuration; throws a `ConfigError` where there is none. */
export async function readConfigText(path: string, options: ParseOptions): Promise<string> {
  return decode(await readBytes(path).catch((error: unknown) => refuseFile(path, options, reasonOf(error), error)));
}

const mostMegabytes = 64;

/** A device, or a pipe, may go on for ever. */
async function readBytes(path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    length += piece.length;
    if (length > mostMegabytes * 1_048_576) throw new Error(`it has more than ${mostMegabytes} MiB`);
  }
  return Buffer.concat(pieces);
}

/**
 * The same for a file that has been read before: in its place may stand a pipe without a writer, which would never end.
 */
export async function rereadConfigText(path: string, options: ParseOptions): Promise<string> {
  const isPipe = await stat(path).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  );
  if (isPipe) refuseFile(path, options, "it is a pipe or a device now, which cannot be read again");
  return readConfigText(path, options);
}

function reasonOf(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

function refuseFile(path: string, options: ParseOptions, reason: string, cause?: unknown): never {
  const finding = {
    code: "file-unreadable",
    path: "",
    message: `cannot read the configuration ${JSON.stringify(path)}: ${reason} (the working directory is ${JSON.stringify(process.cwd())})`,
    span: nowhere,
  } as const;
  return refuse([finding], { file: options.file, source: undefined, secrets: [] }, options, cause);
}

/** UTF-8, or the UTF-16 that some Windows tools write; a BOM says which. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder("utf-8").decode(bytes);
}
