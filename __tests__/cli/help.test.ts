import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { loadCommands } from "../../src/cli/commands.ts";
import { runProgram } from "../../src/cli/program.ts";
import { createJsonSchema, createOverlaySchema } from "../../src/config/json-schema.ts";
import { parseConfig } from "../../src/index.ts";
import { runCommand } from "./run-waymark.ts";

const commands = await loadCommands();
const page = await readFile(new URL("../../docs/cli.md", import.meta.url), "utf8");
const examplesFolder = fileURLToPath(new URL("../fixtures/cli", import.meta.url));

async function run(...words: string[]) {
  const output = { code: -1, stdout: "", stderr: "" };
  output.code = await runProgram(words, {
    write: (text) => void (output.stdout += text),
    complain: (text) => void (output.stderr += text),
    style: (_format, text) => text,
    read: () => Promise.resolve(""),
    environment: {},
  });
  return output;
}

describe("the help", () => {
  test.each([[], ...commands.map(({ name }) => [name])])(
    "of waymark %s is in the documentation as it is",
    async (...name) => {
      const { code, stdout } = await run(...name, "--help");
      expect(code).toBe(0);
      expect(page).toContain(`\`\`\`text\n$ waymark ${[...name, "--help"].join(" ")}\n${stdout}\`\`\`\n`);
    },
  );

  test("is shown for help and -h as well, and instead of nothing with exit code 2", async () => {
    const { stdout } = await run("--help");
    expect(await run("help")).toEqual({ code: 0, stdout, stderr: "" });
    expect(await run("-h")).toEqual({ code: 0, stdout, stderr: "" });
    expect(await run()).toEqual({ code: 2, stdout: "", stderr: stdout });
    expect(await run("help", "check")).toEqual(await run("check", "-h"));
  });

  test("fits into a hundred columns", async () => {
    const helps = await Promise.all(commands.map(({ name }) => run(name, "--help")));
    const rows = helps.flatMap(({ stdout }) => stdout.split("\n").filter((line) => /^ {2}( {4}|-\w, )--/.test(line)));
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((line) => line.length > 100)).toEqual([]);
  });

  test("has an example of every command, each with a name and options that exist", () => {
    const wrong = commands.flatMap(({ name, options, examples }) => {
      const lines = examples.map(({ line }) => line).filter((line) => line.startsWith("waymark "));
      const named = lines.flatMap((line) => [...line.matchAll(/ --([a-z-]+)/g)].map(([, option = ""]) => option));
      const isWrong = lines.length === 0 || lines.some((line) => !line.startsWith(`waymark ${name}`));
      return isWrong || named.some((option) => !(option in options)) ? [name] : [];
    });
    expect(wrong).toEqual([]);
  });
});

describe("the examples of the documentation", () => {
  const blocks = [...page.matchAll(/^```text\n\$ waymark (.+)\n([^]*?)^```$/gm)];
  const examples = blocks.filter(([, line = ""]) => !line.endsWith("--help"));

  test("are as the program answers them", async () => {
    const shown = examples.map(([, line, output]) => ({ line, output }));
    const real = examples.map(async ([, line = ""]) => {
      const { stdout, stderr } = await runCommand(line.split(" "), { cwd: examplesFolder });
      return { line, output: stdout + stderr };
    });
    expect(await Promise.all(real)).toEqual(shown);
    expect(shown).toHaveLength(8);
  });

  test.each(["shop.json", "doubtful.json", "locked.json", "office.json", "requests.txt"])(
    "show %s as it is",
    async (name) => {
      const language = name.endsWith("json") ? "json" : "text";
      const text = await readFile(join(examplesFolder, name), "utf8");
      expect(page).toContain(`\`\`\`${language}\n${text}\`\`\`\n`);
    },
  );
});

describe("wrong usage ends with 2 and says what was expected", () => {
  const rows: [string[], string][] = [
    [["check"], "waymark check takes <file|folder> [more files], received nothing. See waymark check --help.\n"],
    [["diff", "a"], 'waymark diff takes <old file|folder> <new file|folder>, received "a". See waymark diff --help.\n'],
    [["--vesion"], 'There is no option "--vesion". The commands are'],
    [
      ["check", "--format", "xml", "a"],
      '--format is text or json or sarif, received "xml". See waymark check --help.\n',
    ],
    [["check", "--format", "jsno", "a"], 'received "jsno". Did you mean json?'],
    [["serve", "a", "--port", "--watch"], "--port needs a value: --port <number>. See waymark serve --help.\n"],
    [["serve", "a", "--port="], "--port needs a value"],
    [["serve", "a", "-p", "x"], '--port is a whole number from 0 to 65535, received "x".\n'],
    [["serve", "a", "--watch=yes"], '--watch takes no value, received "yes".'],
    [["serve", "a", "--workers", "0"], '--workers is a whole number from 1 to 1024, or auto, received "0".\n'],
    [["serve", "a", "--grace", "--watch"], "--grace needs a value"],
    [["serve", "a", "--grace", "-1"], '--grace is a number of seconds up to 86400, received "-1".\n'],
    [
      ["serve", "a", "--drain-delay", "9"],
      "--drain-delay is the time that readiness fails before requests are: it needs --health.\n",
    ],
    [["serve", "a", "--grace", "soon"], '--grace is a number of seconds up to 86400, received "soon".\n'],
    [
      ["serve", "a", "--health", "/healthz"],
      '--health takes two paths such as /healthz,/readyz, received "/healthz".\n',
    ],
    [["serve", "a", "--health", "/a,/a"], "--health takes two paths"],
    [["serve", "a", "--openapi-anonymous"], "--openapi-anonymous opens what --openapi shows: add --openapi."],
    [["diff", "a", "b", "--prob", "c"], 'waymark diff has no option "--prob". Did you mean --probe?'],
  ];

  test.each(rows)("%j", async (words, message) => {
    const { code, stdout, stderr } = await run(...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.startsWith(message) || (!message.endsWith("\n") && stderr.includes(message))).toBe(true);
  });
});

describe("what a command writes", () => {
  test("schema is the JSON Schema of the package", async () => {
    const { code, stdout } = await run("schema");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(createJsonSchema());
  });

  test("schema --overlay is that of the file of an environment", async () => {
    const { code, stdout } = await run("schema", "--overlay");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(createOverlaySchema());
  });

  test("init is a configuration without problems, and overwrites nothing unless told so", async () => {
    const folder = await mkdtemp(join(tmpdir(), "waymark-init-"));
    try {
      const file = join(folder, "gateway.json");
      expect(await run("init", file)).toEqual({
        code: 0,
        stdout: `Wrote ${file}. Next:\n  waymark check ${file}\n  waymark serve ${file}\n`,
        stderr: "",
      });
      const config = parseConfig(await readFile(file, "utf8"), { logger: false, lint: true });
      expect(config.warnings).toEqual([]);
      expect(config.routes.map(({ Key }) => Key)).toEqual(["order", "files"]);
      expect(await run("init", file)).toEqual({
        code: 2,
        stdout: "",
        stderr: `Cannot write ${JSON.stringify(file)}: it exists already; --force overwrites it.\n`,
      });
      expect((await run("init", file, "--force")).code).toBe(0);
      const elsewhere = await run("init", join(folder, "no", "gateway.json"));
      expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining("the directory is not there") });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
