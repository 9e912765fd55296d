import { printExcerpt } from "../../config/problems/print-problems.ts";
import { openToAll } from "../../explain/route-access.ts";
import { escapeControls } from "../../logging/escape-controls.ts";
import type { CommandIo } from "../command.ts";
import type { FileReport, FoundProblem } from "../find-problems.ts";

type Style = CommandIo["style"];

const colours = { error: "red", warning: "yellow" } as const;

/** A report for people: each problem with its line, then for each file a line, who may come in, and what it needs besides. */
export function printTextReport(reports: readonly FileReport[], style: Style): string {
  const problems = reports.flatMap((report) => report.problems.map((problem) => printProblem(problem, report, style)));
  const lines = reports.flatMap((report) => {
    const heading = `${escapeControls(report.file)}: ${countProblems(report.problems)}`;
    return [heading, ...printAccess(report), ...printFromCode(report), ...printMissing(report)];
  });
  return [...problems, `${lines.join("\n")}\n`].join("\n\n");
}

function printAccess({ routes }: FileReport): readonly string[] {
  if (routes.length === 0) return [];
  if (routes.every(({ access }) => access.open)) return [`  ${openToAll}`];
  const upstreams = routes.map(({ methods, upstream }) => escapeControls(`${methods.join(",")} ${upstream}`.trim()));
  const width = upstreams.reduce((widest, { length }) => Math.max(widest, length), 0);
  const rows = routes.map(({ access }, index) => {
    return `    ${upstreams[index]!.padEnd(width)}  ${escapeControls(access.summary)}`;
  });
  return ["  Who may come in:", ...rows];
}

function printFromCode({ fromCode }: FileReport): readonly string[] {
  if (fromCode.length === 0) return [];
  const rows = fromCode.map(({ option, names }) => {
    return `    ${option}: ${names.map((name) => escapeControls(JSON.stringify(name))).join(", ")}`;
  });
  return ["  It starts only with what these options of createGateway() supply:", ...rows];
}

function printMissing({ missing }: FileReport): readonly string[] {
  if (missing.length === 0) return [];
  return ["  It starts only with packages that are not installed here:", ...missing.map((message) => `    ${message}`)];
}

function printProblem(problem: FoundProblem, { file, source }: FileReport, style: Style): string {
  const { line, column, width, path, code, message, severity } = problem;
  const name = escapeControls(file);
  const place = line === undefined ? name : `${name}:${line}:${column}`;
  const heading = [style("bold", place), style(colours[severity], severity), path, style("dim", `(${code})`)];
  const isShown = source !== undefined && line !== undefined && column !== undefined;
  const excerpt = isShown ? printExcerpt({ line, column, width }, source) : [];
  return [heading.filter((part) => part !== "").join(" "), `  ${message.replaceAll("\n", "\n  ")}`, ...excerpt].join(
    "\n",
  );
}

function countProblems(problems: readonly FoundProblem[]): string {
  if (problems.length === 0) return "no problems";
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const counts = [countOf(errors, "error"), countOf(problems.length - errors, "warning")];
  return counts.filter((count) => count !== "").join(", ");
}

function countOf(count: number, noun: string): string {
  return count === 0 ? "" : `${count} ${noun}${count === 1 ? "" : "s"}`;
}
