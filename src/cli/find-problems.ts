import { parseSources } from "../config/files/parse-sources.ts";
import { type LoadOptions, readSources } from "../config/files/read-sources.ts";
import type { Sources } from "../config/files/sources.ts";
import { createSourceText, type SourceText } from "../config/problems/source-text.ts";
import { ConfigError, type ConfigProblem } from "../errors.ts";
import { type ListedRoute, listRoutes } from "../explain/list-routes.ts";
import { namesFromCode, type NamesFromCode } from "../explain/names-from-code.ts";
import { missingPackages } from "./missing-packages.ts";
import { runAtOnce } from "../time-slices.ts";

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
  /** Those that stand in it, in the order in which they are tried; none where the configuration cannot be used. */
  routes: readonly ListedRoute[];
  /** What it asks of code; of several files only the last one tells, as they are one configuration. */
  fromCode: readonly NamesFromCode[];
  /** Which packages it needs that are not installed; told as the line before. */
  missing: readonly string[];
}>;

type Found = ConfigProblem & Readonly<{ severity: Severity }>;

/** Reads a configuration and collects what is wrong or doubtful in it, file by file; what is of none comes first. */
export async function findProblems(paths: readonly string[], options: LoadOptions): Promise<readonly FileReport[]> {
  const found: Found[] = [];
  const all = { ...options, lint: true, logger: collectProblems(found) };
  let files: Sources["files"] = [];
  let routes: readonly ListedRoute[] = [];
  let [fromCode, missing]: [readonly NamesFromCode[], readonly string[]] = [[], []];
  try {
    const { sources } = await readSources(paths, all);
    files = sources.files;
    const config = runAtOnce(parseSources(sources, all));
    routes = listRoutes(config);
    [fromCode, missing] = [namesFromCode(config), missingPackages(config)];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
  }
  const known = new Set(files.map(({ path }) => path));
  const homeless = found.filter(({ file }) => file === undefined || !known.has(file));
  const [only] = files;
  const reports = files.map(({ path, text }, index): FileReport => {
    const source = createSourceText(text);
    const own = found.filter(({ file }) => file === path);
    return {
      file: path,
      source,
      problems: inOrder(own, source),
      routes: files.length === 1 ? routes : routes.filter(({ file }) => file === path),
      ...(index === files.length - 1 ? { fromCode, missing } : nothingNeeded),
    };
  });
  if (homeless.length === 0 && reports.length > 0) return reports;
  const name = homeless[0]?.file ?? paths.join(" ");
  // A folder or a file that cannot be read has no text.
  return [
    {
      file: name,
      source: only && createSourceText(""),
      problems: inOrder(homeless, undefined),
      routes: [],
      ...nothingNeeded,
    },
    ...reports,
  ];
}

const nothingNeeded = { fromCode: [], missing: [] };

function inOrder(found: readonly Found[], source: SourceText | undefined): readonly FoundProblem[] {
  return found.map((problem) => ({ ...problem, width: widthOf(problem, source) })).toSorted(comparePlaces);
}

function collectProblems(found: object[]): Exclude<LoadOptions["logger"], false> {
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
