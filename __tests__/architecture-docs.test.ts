import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";

const source = fileURLToPath(new URL("../src", import.meta.url));
const page = readFileSync(new URL("../docs/architecture.md", import.meta.url), "utf8");
const entries = readdirSync(source, { recursive: true, withFileTypes: true });
const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => `${parentPath}/${name}`);

test("every file that the architecture names is there", () => {
  const named = [...page.matchAll(/[\w/-]+\.ts\b/g)].map(([name]) => name.replace(/^src\//, ""));
  expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});

test("every folder of the source has its row", () => {
  const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.filter(({ name }) => !page.includes(`| \`src/${name}/\``)).map(({ name }) => name)).toEqual([]);
});
