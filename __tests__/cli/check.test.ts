import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { Ajv } from "ajv";
import { type Ended, runCommand } from "./run-waymark.ts";
import { sarifShape } from "./sarif-shape.ts";

const fixtures = fileURLToPath(new URL("../fixtures/config/", import.meta.url));
const files = readdirSync(fixtures).filter((name) => name.endsWith(".json"));
const absent = "not there.json";

type Result = Readonly<{
  ruleId: string;
  ruleIndex: number;
  level: string;
  locations: [{ physicalLocation: { artifactLocation: { uri: string; index: number }; region?: object } }];
}>;
type SarifLog = Readonly<{
  runs: [{ tool: { driver: { rules: { id: string; defaultConfiguration: { level: string } }[] } }; results: Result[] }];
}>;
type JsonReport = Readonly<{ files: { file: string; problems: { severity: string; code: string; line: number }[] }[] }>;

describe("waymark check, of all configurations of these tests", () => {
  let json: Ended;
  let sarif: Ended;
  let text: Ended;
  beforeAll(async () => {
    [json, sarif, text] = (await Promise.all(
      ["json", "sarif", "text"].map((format) => {
        const more = format === "sarif" ? [absent, `${fixtures}ten-mistakes.json`] : [];
        return runCommand(["check", "--format", format, ...files, ...more], { cwd: fixtures });
      }),
    )) as [Ended, Ended, Ended];
  });

  test("tells of every file what is wrong with it", () => {
    const report = JSON.parse(json.stdout) as JsonReport;
    const errors = report.files.map(({ file, problems }) => {
      return [file, problems.filter(({ severity }) => severity === "error").map(({ code, line }) => `${line} ${code}`)];
    });
    expect({ code: json.code, stderr: json.stderr }).toEqual({ code: 1, stderr: "" });
    expect(errors).toEqual([
      ["from-2018.json", []],
      ["ocelot-keys.json", []],
      ["sample-basic.json", []],
      ["sample-metadata.json", []],
      ["sample-service-fabric.json", []],
      ["ten-mistakes.json", tenMistakes],
      ["written-by-a-tool.json", []],
    ]);
  });

  test("ends its text with a line for each file, and with who may come in", () => {
    const report = JSON.parse(json.stdout) as JsonReport;
    const end = text.stdout.slice(text.stdout.lastIndexOf("\n\n") + 2);
    const lines = end.split("\n").filter((line) => /^\S/.test(line));
    expect(lines).toEqual(report.files.map(({ file, problems }) => `${file}: ${countOf(problems)}`));
    expect(text.stdout.match(/ \((?:[a-z]+-)+[a-z]+\)$/gm)).toHaveLength(
      report.files.flatMap((file) => file.problems).length,
    );
  });

  test("writes SARIF that says the same as its JSON", () => {
    const log = JSON.parse(sarif.stdout) as SarifLog;
    const [{ tool, results }] = log.runs;
    const validate = new Ajv({ allErrors: true }).compile(sarifShape);
    validate(log);
    expect(validate.errors ?? []).toEqual([]);
    expect(sarif.code).toBe(2);
    const rules = tool.driver.rules;
    expect(results.map(({ ruleIndex }) => rules[ruleIndex]!.id)).toEqual(results.map(({ ruleId }) => ruleId));
    expect(results.map(({ ruleIndex }) => rules[ruleIndex]!.defaultConfiguration.level)).toEqual(
      results.map(({ level }) => level),
    );
    const places = results.map(({ locations: [{ physicalLocation }] }) => physicalLocation);
    const inJson = (JSON.parse(json.stdout) as JsonReport).files.flatMap(({ file, problems }) =>
      problems.map(() => file),
    );
    expect(places.map(({ artifactLocation: { uri } }) => uri)).toEqual([
      ...inJson,
      "not%20there.json",
      ...inJson.filter((file) => file === "ten-mistakes.json").map((file) => pathToFileURL(fixtures + file).href),
    ]);
    expect(places.filter(({ region }) => region === undefined)).toEqual([
      { artifactLocation: { uri: "not%20there.json", index: files.length } },
    ]);
    expect(results.find(({ ruleId }) => ruleId === "method-unknown")).toEqual({
      ruleId: "method-unknown",
      ruleIndex: expect.any(Number),
      level: "error",
      message: { text: 'expected a method of HTTP, such as GET, found "GETT" – did you mean "GET"?' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "ten-mistakes.json", index: files.indexOf("ten-mistakes.json") },
            region: { startLine: 7, startColumn: 31, endColumn: 37 },
          },
          logicalLocations: [{ fullyQualifiedName: "Routes[0].DownstreamHttpMethod" }],
        },
      ],
    });
  });
});

/** Line and code of each problem that the text beside the configuration lists. */
const tenMistakes = [
  ...readFileSync(`${fixtures}ten-mistakes.txt`, "utf8").matchAll(/^gateway\.json:(\d+):\d+ .*\((.*)\)$/gm),
].map(([, line, code]) => `${line} ${code}`);

function countOf(problems: readonly { severity: string }[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const warnings = problems.length - errors;
  const counts = [
    ...(errors === 0 ? [] : [errors === 1 ? "1 error" : `${errors} errors`]),
    ...(warnings === 0 ? [] : [warnings === 1 ? "1 warning" : `${warnings} warnings`]),
  ];
  return counts.length === 0 ? "no problems" : counts.join(", ");
}
