import { defineCommand } from "./command.ts";
import { configOptions, loadOptionsOf } from "./config-options.ts";
import { type FileReport, findProblems, type Severity } from "./find-problems.ts";
import { printJsonReport } from "./report/print-json-report.ts";
import { printSarifReport } from "./report/print-sarif-report.ts";
import { printTextReport } from "./report/print-text-report.ts";
import { exitCodes } from "./exit-codes.ts";

const formats = { text: printTextReport, json: printJsonReport, sarif: printSarifReport } as const;

/** `waymark check`: everything that is wrong or doubtful in a configuration. */
export const check = defineCommand({
  name: "check",
  summary: "Show all that is wrong or doubtful in a configuration",
  usage: "<file|folder> [more files]",
  positionals: { least: 1, most: Infinity },
  options: {
    format: {
      type: "string",
      choices: ["text", "json", "sarif"],
      default: "text",
      value: "format",
      description: "How to report",
    },
    strict: { type: "boolean", description: "Let warnings fail as well" },
    ...configOptions,
  },
  examples: [
    { line: "waymark check gateway.json", explanation: "exits with 0 if it can be used, with 1 if not" },
    {
      line: "waymark check --strict --env --environment Production config",
      explanation: "a folder, as it is in production, with environment variables, and without a single warning",
    },
    {
      line: "waymark check --format sarif gateway.json > waymark.sarif",
      explanation: "for a code-scanning service",
    },
  ],
  async run({ format, strict = false, ...values }, files, io) {
    const reports = await findProblems(files, loadOptionsOf(values, io));
    io.write(formats[format](reports, io.style));
    return exitCodeFor(reports, strict ? ["error", "warning"] : ["error"]);
  },
});

function exitCodeFor(reports: readonly FileReport[], failing: readonly Severity[]): number {
  if (reports.some(({ source }) => source === undefined)) return exitCodes.usage;
  const fails = reports.some(({ problems }) => problems.some(({ severity }) => failing.includes(severity)));
  return fails ? exitCodes.problems : exitCodes.fine;
}
