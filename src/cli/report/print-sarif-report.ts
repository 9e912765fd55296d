import { isAbsolute, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { problemCodes } from "../../schema/problem-codes.ts";
import type { FileReport, FoundProblem } from "../find-problems.ts";
import { readVersion } from "../read-version.ts";

/** A report in SARIF 2.1.0, which code-scanning services read. */
export function printSarifReport(reports: readonly FileReport[]): string {
  const found = reports.flatMap(({ problems }) => problems);
  const rules = Object.entries(problemCodes).filter(([id]) => found.some(({ code }) => code === id));
  const ruleIds = rules.map(([id]) => id);
  const log = {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "waymark",
            semanticVersion: readVersion(),
            rules: rules.map(([id, level]) => ({ id, defaultConfiguration: { level } })),
          },
        },
        columnKind: "utf16CodeUnits",
        invocations: [{ executionSuccessful: reports.every(({ source }) => source !== undefined) }],
        artifacts: reports.map(({ file }) => ({ location: { uri: toUri(file) } })),
        results: reports.flatMap(({ file, problems }, index) => {
          return problems.map((problem) => toResult(problem, { uri: toUri(file), index }, ruleIds));
        }),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function toResult(
  { severity, code, message, path, line, column, width }: FoundProblem,
  artifactLocation: Readonly<{ uri: string; index: number }>,
  ruleIds: readonly string[],
): object {
  const isPlaced = line !== undefined && column !== undefined;
  const region = isPlaced ? { region: { startLine: line, startColumn: column, endColumn: column + width } } : {};
  return {
    ruleId: code,
    ruleIndex: ruleIds.indexOf(code),
    level: severity,
    message: { text: message },
    locations: [
      {
        physicalLocation: { artifactLocation, ...region },
        ...(path === "" ? {} : { logicalLocations: [{ fullyQualifiedName: path }] }),
      },
    ],
  };
}

/** Relative paths stay relative, so that a service finds them in its own copy of the project. */
function toUri(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.split(sep).map(encodeURIComponent).join("/");
}
