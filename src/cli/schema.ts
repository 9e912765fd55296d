import { createJsonSchema } from "../config/json-schema.ts";
import { defineCommand, exitCodes } from "./command.ts";

/** `waymark schema`: the JSON Schema of a configuration. */
export const schema = defineCommand({
  name: "schema",
  summary: "Print the JSON Schema of a configuration, for editors",
  usage: "",
  positionals: { least: 0, most: 0 },
  options: {},
  examples: [
    {
      line: "waymark schema > gateway.schema.json",
      explanation: 'keep it beside a configuration that names it: "$schema": "./gateway.schema.json"',
    },
  ],
  run(_values, _positionals, io) {
    io.write(`${JSON.stringify(createJsonSchema(), undefined, 2)}\n`);
    return Promise.resolve(exitCodes.fine);
  },
});
