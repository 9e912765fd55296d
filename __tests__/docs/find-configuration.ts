import { parse } from "jsonc-parser";
import type { Block, DocsPage } from "./read-pages.ts";

/** The languages of blocks that are JSON. */
export const jsonLanguages: readonly string[] = ["json", "jsonc"];

/** The text as a whole configuration; undefined when it is neither one nor a route of one. */
export function toConfiguration(code: string): string | undefined {
  const value: unknown = parse(code, [], { allowTrailingComma: true });
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const names = Object.keys(value).map((name) => name.toLowerCase());
  if (names.includes("upstreampathtemplate")) return `{ "Routes": [${code}] }`;
  return names.includes("routes") || names.includes("globalconfiguration") || names.includes("reroutes")
    ? code
    : undefined;
}

/** The last configuration above a block, which is the gateway.json that the block means. */
export function configurationAbove({ blocks }: DocsPage, { line }: Block): string | undefined {
  const above = blocks.filter(
    ({ line: at, file, language, noRun }) =>
      at < line && file === undefined && noRun === undefined && jsonLanguages.includes(language),
  );
  return above.map(({ code }) => toConfiguration(code)).findLast((configuration) => configuration !== undefined);
}
