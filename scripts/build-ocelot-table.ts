/** Writes the table of Ocelot's keys into docs/coming-from-ocelot.md, from the same tables that the checker goes by. */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { allSections } from "../src/config/sections.ts";
import { classifyOcelotKeys } from "./ocelot-keys.ts";

/** Where a key stands, as people know it. */
const places = new Map(allSections.map(({ name, heading }) => [name, placeOf(name, heading)]));

const file = fileURLToPath(new URL("../docs/coming-from-ocelot.md", import.meta.url));
const page = await readFile(file, "utf8");
const [before, rest] = splitAt(page, "## Every key\n");
const end = rest.indexOf("\n## ");
const [introduction] = splitAt(rest.slice(0, end), "\n|");

const rows = classifyOcelotKeys().map(({ section, name, verdict, remark }) => {
  return `| ${places.get(section) ?? section} | \`${name}\` | ${verdict} | ${remark} |`;
});
const table = ["| Where | Key | Here | How, or what instead |", "| --- | --- | --- | --- |", ...rows].join("\n");
const text = `${before}${introduction}\n${table}\n${rest.slice(end)}`;
await writeFile(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));

function placeOf(name: string, heading: string): string {
  if (name === "root" || name === "route") return heading;
  return name === "host" ? "`DownstreamHostAndPorts`" : `\`${heading}\``;
}

function splitAt(text: string, mark: string): [before: string, after: string] {
  const at = text.indexOf(mark);
  if (at === -1) throw new Error(`${file} has no ${JSON.stringify(mark)} where its table would go.`);
  const cut = mark.startsWith("##") ? at + mark.length : at;
  return [text.slice(0, cut), text.slice(cut)];
}
