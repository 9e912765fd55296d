import { printAsOne } from "../config/files/print-as-one.ts";
import { readSources } from "../config/files/read-sources.ts";
import { defineCommand } from "./command.ts";
import { fileOptions, loadOptionsOf } from "./config-options.ts";
import { exitCodes } from "./exit-codes.ts";

/** `waymark merge`: one file instead of several. */
export const merge = defineCommand({
  name: "merge",
  summary: "Print the one configuration that several files come to",
  usage: "<file|folder> [more files]",
  positionals: { least: 1, most: Infinity },
  options: fileOptions,
  examples: [
    {
      line: "waymark merge config > gateway.json",
      explanation: "the files of a folder as one, ${NAME} as it is written",
    },
    {
      line: "waymark merge config --environment Production | less",
      explanation: "with what production lays over them",
    },
  ],
  async run(values, paths, io) {
    const options = { ...loadOptionsOf(values, io), logger: false } as const;
    const { sources } = await readSources(paths, options);
    io.write(`${printAsOne(sources, options)}\n`);
    return exitCodes.fine;
  },
});
