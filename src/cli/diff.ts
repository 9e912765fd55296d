import { readFile } from "node:fs/promises";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { ConfigError } from "../errors.ts";
import { compareKeys } from "../compiling/compare-routes.ts";
import { compareTold } from "../explain/compare-told.ts";
import { findOpenedLocks } from "./find-opened-locks.ts";
import { type CommandIo, defineCommand, UsageError } from "./command.ts";
import { configOptions, readConfig } from "./config-options.ts";
import { findMovedRequests } from "./moved-requests.ts";
import { readProbes } from "./read-probes.ts";
import { type Differences, printDifferences } from "./report/print-differences.ts";
import { exitCodes } from "./exit-codes.ts";

/** `waymark diff`: what a new configuration changes. */
export const diff = defineCommand({
  name: "diff",
  summary: "Compare two configurations: their routes, and where requests go",
  usage: "<old file|folder> <new file|folder>",
  positionals: { least: 2, most: 2 },
  options: {
    probe: {
      type: "string",
      value: "file",
      description: "Requests to try, one a line: GET /orders/7, or GET http://shop.example/orders/7 for a host",
    },
    format: {
      type: "string",
      choices: ["text", "json"],
      default: "text",
      value: "format",
      description: "How to show the differences",
    },
    ...configOptions,
  },
  examples: [
    {
      line: "waymark diff gateway.json next.json",
      explanation: "what differs, and where a lock opens; exits with 0 if nothing differs, with 1 if something does",
    },
    {
      line: "waymark diff gateway.json next.json --probe urls.txt",
      explanation: "also which of these requests would go elsewhere",
    },
  ],
  async run({ format, probe, ...values }, [oldFile = "", newFile = ""], io) {
    const before = await readSide(oldFile, values, io);
    const after = await readSide(newFile, values, io);
    const probes = probe === undefined ? undefined : readProbes(await readProbeFile(probe), probe);
    const told = compareTold(before, after);
    const { changes, changedKeys } = compareKeys(before, after);
    const differences: Differences = {
      changes,
      changedKeys: changedKeys.map((changed) => ({ ...changed, told: told.get(changed.route) ?? [] })),
      opened: findOpenedLocks(before, after),
      probed: probes && { count: probes.length, moved: findMovedRequests(probes, before, after) },
    };
    io.write(
      format === "json" ? `${JSON.stringify(differences, undefined, 2)}\n` : printDifferences(differences, io.style),
    );
    return isSame(differences) ? exitCodes.fine : exitCodes.problems;
  },
});

/** 1 says that something differs; what cannot be compared must not look like that. */
async function readSide(file: string, values: Parameters<typeof readConfig>[1], io: CommandIo): Promise<GatewayConfig> {
  try {
    return await readConfig([file], values, io);
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
}

async function readProbeFile(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: unknown) => {
    throw new UsageError(`Cannot read the requests ${JSON.stringify(file)}: ${(error as Error).message}.`);
  });
}

function isSame({ changes: { added, removed, changed }, probed }: Differences): boolean {
  return added.length + removed.length + changed.length + (probed?.moved.length ?? 0) === 0;
}
