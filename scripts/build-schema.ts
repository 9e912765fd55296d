/** Writes schema.json at the root of the package, from the same tables that the reader of configurations goes by. */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { createJsonSchema } from "../src/config/json-schema.ts";

const file = fileURLToPath(new URL("../schema.json", import.meta.url));
const style = await resolveConfig(file);
await writeFile(file, await format(JSON.stringify(createJsonSchema(), null, 2), { ...style, filepath: file }));
