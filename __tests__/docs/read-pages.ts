import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A fenced block of a page. */
export type Block = Readonly<{
  language: string;
  code: string;
  /** Where its first line of code stands in the page. */
  line: number;
  /** Why it is not run, as `<!-- no-run: reason -->` on the line above the block says; undefined for the others. */
  noRun: string | undefined;
  /** The file that it is, as `<!-- file: path -->` on the line above it says. */
  file: string | undefined;
}>;

/** A page of the documentation, by its path from the top of the project. */
export type DocsPage = Readonly<{ path: string; text: string; blocks: readonly Block[] }>;

const top = new URL("../../", import.meta.url);

/** Path of something at the top of the project. */
export function atTop(path: string): string {
  return fileURLToPath(new URL(path, top));
}

const otherPages = ["README.md", "CHANGELOG.md", "example-app/README.md"];

/** Every page that users read. */
export function readPages(): DocsPage[] {
  const docs = readdirSync(atTop("docs"), { recursive: true, encoding: "utf8" });
  const pages = docs.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`);
  return [...otherPages, ...pages.toSorted()].map((path) => {
    const text = readFileSync(atTop(path), "utf8");
    return { path, text, blocks: readBlocks(text) };
  });
}

const fencedBlock = /^([ \t]*)(```+)([^\n]*)\n(.*?)^\1\2[ \t]*$/gms;
const fileComment = /<!-- file: *(.*?) *-->\s*$/;
const noRunComment = /<!-- no-run: *(.*?) *-->\s*$/;

/** The fenced blocks of a text, in order. */
export function readBlocks(text: string): Block[] {
  return [...text.matchAll(fencedBlock)].map(({ index, 1: indent = "", 3: language = "", 4: code = "" }) => {
    const before = text.slice(0, index);
    return {
      language: language.trim(),
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      line: before.split("\n").length + 1,
      noRun: noRunComment.exec(before)?.[1],
      file: fileComment.exec(before)?.[1],
    };
  });
}

/** A page without its blocks, so that only prose is searched. */
export function proseOf({ text }: DocsPage): string {
  return text.replaceAll(fencedBlock, "");
}
