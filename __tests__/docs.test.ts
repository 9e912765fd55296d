import { beforeAll, describe, expect, test } from "@jest/globals";
import { type ParseError, parse } from "jsonc-parser";
import { parseConfig } from "../src/index.ts";
import { findBrokenLinks } from "./docs/find-broken-links.ts";
import { configurationAbove, jsonLanguages, toConfiguration } from "./docs/find-configuration.ts";
import { type Block, type DocsPage, readBlocks, readPages } from "./docs/read-pages.ts";
import { type BlockEnd, runBlocks } from "./docs/run-blocks.ts";

// What a page shows must work as it stands:
// - js and ts blocks run, one after the other, and end by themselves. Ports in them are free ones in truth, and a server
//   that listens does not keep the process alive. The imports are the package's sources.
// - a comment behind console.log is what it prints, and after a colon perhaps why; "…" stands for anything.
// - the last configuration above a block is the gateway.json in the folder where the block runs.
// - json blocks are JSON; those that are a configuration, or one route of it, are accepted by parseConfig.
// - a block below <!-- file: path --> lies there for all blocks of its page, and need be no whole configuration.
// - a block that cannot do so says why, in a comment on the line above it: <!-- no-run: reason -->

const programs = ["js", "ts"];
const texts = ["", "text", "sh", "http", "diff", "csharp", "xml"];

const pages = readPages();

function isOf(languages: readonly string[]): (block: Block) => boolean {
  return ({ language, noRun }) => languages.includes(language) && noRun === undefined;
}

function blocksOf(languages: readonly string[]): [string, DocsPage, Block][] {
  return pages.flatMap((page) =>
    page.blocks
      .filter(isOf(languages))
      .map((block): [string, DocsPage, Block] => [`${page.path}:${block.line}`, page, block]),
  );
}

/** The variables that configurations of the documentation name without a default. */
const variables = { GATEWAY_SECRET: "what the server has given us" };

function filesOf({ blocks }: DocsPage): { path: string; text: string }[] {
  return blocks.flatMap(({ file, code }) => (file === undefined ? [] : [{ path: file, text: code }]));
}

function promisedOutput({ code }: Block): string[] {
  return [...code.matchAll(/console\.log\(.*\);? *\/\/ (.*)$/gm)].map(([, promised]) => promised!);
}

function fits(line: string, promised: string): boolean {
  const [withoutReason = ""] = promised.split(": ");
  return [promised, withoutReason].some((text) => {
    const literals = text.split("…").map((literal) => RegExp.escape(literal.trim()));
    return new RegExp(`^${literals.join(".*")}$`).test(line.trim());
  });
}

describe("the documentation", () => {
  test.each(blocksOf(jsonLanguages))(
    "%s is JSON, and accepted where it is a configuration",
    (_title, _page, { code, file }) => {
      const errors: ParseError[] = [];
      parse(code, errors, { allowTrailingComma: true });
      expect(errors).toEqual([]);
      const configuration = file === undefined ? toConfiguration(code) : undefined;
      if (configuration !== undefined) parseConfig(configuration, { logger: false, environment: variables });
    },
  );

  describe("as programs", () => {
    const blocks = blocksOf(programs);
    let ends: BlockEnd[];
    beforeAll(async () => {
      ends = await runBlocks(
        blocks.map(([, page, block]) => {
          return { block, configuration: configurationAbove(page, block), files: filesOf(page) };
        }),
      );
    });

    test.each(blocks.map(([title, , block], index) => [title, block, index] as const))(
      "%s runs and ends by itself",
      (_title, block, index) => {
        const { code, stdout, stderr } = ends[index]!;
        expect({ code, output: code === 0 ? "" : `${stdout}${stderr}` }).toEqual({ code: 0, output: "" });
        const lines = stdout.split("\n");
        expect(promisedOutput(block).filter((promised) => !lines.some((line) => fits(line, promised)))).toEqual([]);
      },
    );
  });

  test.each(pages.map((page): [string, DocsPage] => [page.path, page]))("%s has no broken link", (_path, page) => {
    expect(findBrokenLinks(page)).toEqual([]);
  });

  test("every block says in which language it is, and why it is not run if it is not", () => {
    const known = [...programs, ...jsonLanguages, ...texts];
    const odd = pages.flatMap(({ path, blocks }) =>
      blocks
        .filter(({ language, noRun }) => !known.includes(language) || noRun === "")
        .map(({ line }) => `${path}:${line}`),
    );
    expect(odd).toEqual([]);
  });
});

describe("the check of the documentation", () => {
  const rows: [string, string, { code: number | string; output: RegExp }][] = [
    ["a mistake ends with an error", "null.length;", { code: 1, output: /TypeError/ }],
    [
      "so does one that comes later",
      "await new Promise((resolve) => setImmediate(resolve));\nsetImmediate(() => null.length);",
      { code: 1, output: /TypeError/ },
    ],
    ["so does waiting for what never comes", "await new Promise(() => undefined);", { code: 13, output: /^$/ }],
    [
      "a server that listens does not keep it from ending",
      'import http from "node:http";\nhttp.createServer().listen(8080);',
      { code: 0, output: /^$/ },
    ],
    [
      "a server answers at the port that it shows",
      'import http from "node:http";\nconst server = http.createServer((req, res) => res.end("hello")).listen(8080);\n' +
        'await new Promise((resolve) => server.once("listening", resolve));\n' +
        'console.log(await (await fetch("http://localhost:8080")).text());',
      { code: 0, output: /^hello\n$/ },
    ],
    [
      "the package is found under its name, and its configuration in gateway.json",
      'import { loadConfig } from "waymark";\nconsole.log((await loadConfig("gateway.json")).routes.length);',
      { code: 0, output: /^1\n$/ },
    ],
    [
      "what listened in another block is not found at its port",
      'await fetch("http://localhost:8080").catch(({ cause }) => console.log(cause.code));',
      { code: 0, output: /^ECONNREFUSED\n$/ },
    ],
  ];

  let ends: BlockEnd[];
  beforeAll(async () => {
    const route =
      '{ "UpstreamPathTemplate": "/", "DownstreamPathTemplate": "/", "DownstreamHostAndPorts": [{ "Host": "localhost" }] }';
    const configuration = `{ "Routes": [${route}] }`;
    ends = await runBlocks(
      rows.map(([, code]) => ({
        block: { language: "js", code, line: 1, noRun: undefined, file: undefined },
        configuration,
      })),
    );
  });

  test.each(rows.map(([reason, , expected], index) => [reason, expected, index] as const))(
    "%s",
    (_reason, { code, output }, index) => {
      const end = ends[index]!;
      expect(end.code).toBe(code);
      expect(`${end.stdout}${end.stderr}`).toMatch(output);
    },
  );

  test("blocks are found with their language, line and reason", () => {
    const text =
      '# A\n\n```ts\none();\n```\n\n- b\n\n  <!-- no-run: it is half of a sentence -->\n  ```json\n  { "a":\n  ```\n';
    expect(readBlocks(text)).toEqual([
      { language: "ts", code: "one();\n", line: 4, noRun: undefined, file: undefined },
      { language: "json", code: '{ "a":\n', line: 11, noRun: "it is half of a sentence" },
    ]);
  });
});
