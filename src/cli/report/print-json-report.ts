import type { FileReport } from "../find-problems.ts";

/** A report for programs: one object for each file. */
export function printJsonReport(reports: readonly FileReport[]): string {
  const files = reports.map(({ file, problems, routes }) => ({
    file,
    problems: problems.map(({ severity, code, path, message, line, column }) => {
      return { severity, code, path, message, line, column };
    }),
    routes: routes.map(({ id, methods, upstream, access }) => ({ id, methods, upstream, access })),
  }));
  return `${JSON.stringify({ files }, undefined, 2)}\n`;
}
