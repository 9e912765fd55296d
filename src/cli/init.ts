import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineCommand, UsageError } from "./command.ts";
import { createFirstKey, tellFirstKey } from "./first-api-key.ts";
import { createFolderStarter } from "./folder-starter.ts";
import { createLockedStarter } from "./locked-starter.ts";
import { exitCodes } from "./exit-codes.ts";

const defaultFile = "gateway.json";
const defaultFolder = "config";

/** `waymark init`: a configuration to start from. */
export const init = defineCommand({
  name: "init",
  summary: "Write a commented configuration to start from",
  usage: `[file or folder, by default ${defaultFile} or ${defaultFolder}]`,
  positionals: { least: 0, most: 1 },
  options: {
    auth: { type: "boolean", description: "Lock its routes: with signed tokens, and with a new API key" },
    folder: { type: "boolean", description: "Write a folder: a file for each service, one for all, an aggregate" },
    force: { type: "boolean", description: "Overwrite the file if it exists" },
  },
  examples: [
    { line: "waymark init", explanation: `write ${defaultFile}` },
    { line: "waymark init --auth", explanation: "with routes that ask who comes in; prints an API key, once" },
    { line: "waymark init config --folder", explanation: "write several files that are one configuration" },
    { line: "waymark init config/gateway.json --force", explanation: "write another file, even if it exists" },
  ],
  async run({ auth = false, folder = false, force = false }, [file = folder ? defaultFolder : defaultFile], io) {
    const first = auth ? createFirstKey() : undefined;
    const flag = force ? "w" : "wx";
    if (folder) await writeFolder(file, createFolderStarter(first?.sha256), flag);
    else await write(file, first === undefined ? starter : createLockedStarter(first.sha256), flag);
    const word = /^[\w./-]+$/.test(file) ? file : JSON.stringify(file);
    const next = [`waymark check ${word}`, ...(auth ? ["npm install jose"] : []), `waymark serve ${word}`];
    io.write(
      `Wrote ${file}. Next:\n${next.map((line) => `  ${line}\n`).join("")}${first === undefined ? "" : tellFirstKey(first)}`,
    );
    return exitCodes.fine;
  },
});

type Flag = "w" | "wx";

async function write(file: string, text: string, flag: Flag): Promise<void> {
  await writeFile(file, text, { flag }).catch((error: unknown) => refuse(file, error));
}

/** Unless forced, the folder must be new: beside files that lie there already, these would become parts of theirs. */
async function writeFolder(folder: string, texts: Readonly<Record<string, string>>, flag: Flag): Promise<void> {
  await mkdir(folder).catch((error: unknown) => {
    const mayBeThere = flag === "w" && codeOf(error) === "EEXIST";
    if (!mayBeThere) refuse(folder, error);
  });
  for (const [name, text] of Object.entries(texts)) await write(join(folder, name), text, flag);
}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: "it exists already; --force overwrites it",
  ENOENT: "the directory is not there",
  ENOTDIR: "its directory is a file",
  EISDIR: "it is a directory",
  EACCES: "the permission to write it is missing",
};

function refuse(file: string, error: unknown): never {
  const reason = reasons[codeOf(error)] ?? String(error);
  throw new UsageError(`Cannot write ${JSON.stringify(file)}: ${reason}.`);
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}

const starter = `{
  // Completion and explanations in editors; the gateway does not read it.
  "$schema": "./node_modules/waymark/schema.json",

  "Routes": [
    {
      // The name of the route in logs and errors.
      "Key": "order",
      // What clients ask for; {id} is any segment of the path.
      "UpstreamPathTemplate": "/orders/{id}",
      // Without it: every method.
      "UpstreamHttpMethod": ["Get", "Put"],
      // Where that goes.
      "DownstreamPathTemplate": "/api/orders/{id}",
      "DownstreamScheme": "http",
      "DownstreamHostAndPorts": [{ "Host": "localhost", "Port": 5001 }],
      // Yours to use, in middleware and responders.
      "Metadata": { "team": "orders" },
    },
    {
      "Key": "files",
      // As the last part of a path, a placeholder takes the rest, slashes included.
      "UpstreamPathTemplate": "/files/{path}",
      "DownstreamPathTemplate": "/{path}",
      // Several hosts take turns.
      "DownstreamHostAndPorts": [
        { "Host": "localhost", "Port": 5002 },
        { "Host": "localhost", "Port": 5003 },
      ],
      "LoadBalancerOptions": { "Type": "RoundRobin" },
      // Seconds until an answer must have begun.
      "Timeout": 30,
    },
  ],

  "GlobalConfiguration": {
    // The header in which each request gets an id, and by which it is found in all logs.
    "RequestIdKey": "X-Request-Id",
  },
}
`;
