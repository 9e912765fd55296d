import { createJsonSchema, createOverlaySchema } from "../config/json-schema.ts";
import { defineCommand } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";

/** `waymark schema`: the JSON Schema of a configuration. */
export const schema = defineCommand({
  name: "schema",
  summary: "Print the JSON Schema of a configuration, for editors",
  usage: "",
  positionals: { least: 0, most: 0 },
  options: {
    overlay: {
      type: "boolean",
      description: "For the file of an environment, whose entries say only what they change",
    },
  },
  examples: [
    {
      line: "waymark schema > gateway.schema.json",
      explanation: 'keep it beside a configuration that names it: "$schema": "./gateway.schema.json"',
    },
  ],
  run({ overlay }, _positionals, io) {
    const printed = overlay === true ? createOverlaySchema() : createJsonSchema();
    io.write(`${JSON.stringify(printed, undefined, 2)}\n`);
    return Promise.resolve(exitCodes.fine);
  },
});
