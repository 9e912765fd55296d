import { readConfigText } from "../config/load-config.ts";
import { parseConfig, type ParseOptions } from "../config/parse-config.ts";
import { createSourceText, type SourceText } from "../config/problems/source-text.ts";
import { ConfigError, type ConfigProblem } from "../errors.ts";
import { type ListedRoute, listRoutes } from "../explain/list-routes.ts";

/** Whether a problem stops the start. */
export type Severity = "error" | "warning";

/** A problem as reports show it; `width` says how much of the line it is about. */
export type FoundProblem = ConfigProblem & Readonly<{ severity: Severity; width: number }>;

/** Everything that was found in one file. */
export type FileReport = Readonly<{
  file: string;
  /** Undefined where the file could not be read. */
  source: SourceText | undefined;
  problems: readonly FoundProblem[];
  /** In the order in which they are tried; none where the configuration cannot be used. */
  routes: readonly ListedRoute[];
}>;

/** Reads a configuration and collects what is wrong or doubtful in it. */
export async function inspectFile(file: string, options: ParseOptions): Promise<FileReport> {
  const found: (ConfigProblem & Readonly<{ severity: Severity }>)[] = [];
  const all = { ...options, file, lint: true, logger: collectProblems(found) };
  let source: SourceText | undefined;
  let routes: readonly ListedRoute[] = [];
  try {
    const text = await readConfigText(file, all);
    source = createSourceText(text);
    routes = listRoutes(parseConfig(text, all));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  const problems = found.map((problem) => ({ ...problem, width: widthOf(problem, source) }));
  return { file, source, problems: problems.toSorted(comparePlaces), routes };
}

function collectProblems(found: object[]): Exclude<ParseOptions["logger"], false> {
  const note = (severity: Severity) => (problem: object) => void found.push({ ...problem, severity });
  return { error: note("error"), warn: note("warning"), info: () => undefined, debug: () => undefined };
}

function comparePlaces(one: ConfigProblem, other: ConfigProblem): number {
  return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
}

const token = /"(?:[^"\\]|\\.)*"|[^\s,:[\]{}"]+/y;

/** A problem says where it begins: it reaches to the end of the text, number or word there, else over one character. */
function widthOf({ line, column }: ConfigProblem, source: SourceText | undefined): number {
  if (source === undefined || line === undefined || column === undefined) return 1;
  token.lastIndex = column - 1;
  return token.exec(source.lineText(line))?.[0].length ?? 1;
}
