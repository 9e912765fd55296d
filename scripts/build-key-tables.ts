/** Writes the tables of keys into docs/configuration.md, from the descriptions that the reader of configurations goes by. */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import type { Key, Section } from "../src/schema/key.ts";
import { allSections } from "../src/config/sections.ts";

const file = fileURLToPath(new URL("../docs/configuration.md", import.meta.url));
const page = allSections.reduce(replaceTable, await readFile(file, "utf8"));
await writeFile(file, await format(page, { ...(await resolveConfig(file)), filepath: file }));

/** The table is what stands in lines with bars, the first ones below the heading of the section. */
function replaceTable(text: string, { heading, keys }: Section): string {
  const begin = text.indexOf(`\n## ${heading}\n`);
  if (begin === -1) throw new Error(`${file} has no heading ${JSON.stringify(heading)} for the table of its keys.`);
  const [before, below] = [text.slice(0, begin), text.slice(begin)];
  return before + below.replace(/(?:^\|.*\n)+/m, () => tableOf(keys));
}

function tableOf(keys: Section["keys"]): string {
  const rows = Object.entries(keys).map(([name, key]) => rowOf(name, key));
  return ["| Key | Type | Default | Meaning | Problems |", "| --- | --- | --- | --- | --- |", ...rows, ""].join("\n");
}

function rowOf(name: string, { type, otherwise, means, problems = [] }: Key): string {
  const codes = problems.map((code) => `\`${code}\``).join(" ");
  return `| \`${name}\` | ${type} | ${otherwise} | ${means} | ${codes} |`;
}
