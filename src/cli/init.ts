import { writeFile } from "node:fs/promises";
import { defineCommand, exitCodes, UsageError } from "./command.ts";

const defaultFile = "gateway.json";

/** `waymark init`: a configuration to start from. */
export const init = defineCommand({
  name: "init",
  summary: "Write a commented configuration to start from",
  usage: `[file, by default ${defaultFile}]`,
  positionals: { least: 0, most: 1 },
  options: {
    force: { type: "boolean", description: "Overwrite the file if it exists" },
  },
  examples: [
    { line: "waymark init", explanation: `write ${defaultFile}` },
    { line: "waymark init config/gateway.json --force", explanation: "write another file, even if it exists" },
  ],
  async run({ force = false }, [file = defaultFile], io) {
    await writeFile(file, starter, { flag: force ? "w" : "wx" }).catch((error: unknown) => refuse(file, error));
    const word = /^[\w./-]+$/.test(file) ? file : JSON.stringify(file);
    io.write(`Wrote ${file}. Next:\n  waymark check ${word}\n  waymark serve ${word}\n`);
    return exitCodes.fine;
  },
});

const reasons: Readonly<Record<string, string>> = {
  EEXIST: "it exists already; --force overwrites it",
  ENOENT: "the directory is not there",
  EISDIR: "it is a directory",
  EACCES: "the permission to write it is missing",
};

function refuse(file: string, error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = reasons[code ?? ""] ?? message;
  throw new UsageError(`Cannot write ${JSON.stringify(file)}: ${reason}.`);
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
