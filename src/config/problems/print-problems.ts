import type { ConfigProblem } from "../../errors.ts";
import { blankControls, escapeControls, escapeWithinLines } from "../../logging/escape-controls.ts";
import { meantBy } from "../../json/source-tokens.ts";
import { maskValues } from "../../secrets/redact.ts";
import { secretMask } from "../../secrets/secret-names.ts";
import type { Steps } from "../../time-slices.ts";
import { maskMessage } from "./mask-url.ts";
import { type Finding, isError } from "./problem-list.ts";
import { type Origin, textOf } from "./origin.ts";
import type { SourceText } from "./source-text.ts";
import { withoutValues } from "./without-values.ts";

type Location = Pick<ConfigProblem, "file" | "line" | "column">;

const widestExcerpt = 100;

/** A finding as users get it: with file, line and column where there are any. */
export function toProblem(finding: Finding, origin: Origin): ConfigProblem {
  const { secrets } = origin;
  const { code, path, span } = finding;
  const { file, source, start } = textOf(span, origin);
  const message = isError(finding) ? withoutHidden(finding, textOf(span, origin)) : finding.message;
  const position = source === undefined ? {} : source.positionOf(span.start - start);
  return Object.freeze({
    code,
    path: escapeControls(path),
    message: escapeWithinLines(maskMessage(withoutValues(maskValues(message, secrets), secrets))),
    ...(file === undefined ? {} : { file }),
    ...position,
  });
}

/** A message that quotes what its excerpt masks would show it after all. */
function withoutHidden({ message, span }: Finding, { source, start }: ReturnType<typeof textOf>): string {
  const hidden = source?.hiddenIn({ start: span.start - start, end: span.end - start }) ?? [];
  return hidden.reduce((shown, token) => {
    if (!token.startsWith('"')) return shown.replaceAll(`found ${token}`, `found ${secretMask}`);
    return withoutValues(shown, [meantBy(token)]);
  }, message);
}

/** `gateway.json:3:7 Routes[0].Port: expected … (port-invalid)`: a problem in one line. */
export function problemLine({ code, path, message, ...where }: ConfigProblem): string {
  return `${headingOf(path, where)}: ${message} (${code})`;
}

/** All problems of a configuration, each with its line of the source and a caret under the place. */
export function* printProblems(findings: readonly Finding[], origin: Origin): Steps<string> {
  const count = findings.length === 1 ? "1 problem" : `${findings.length} problems`;
  const name = origin.file === undefined ? "The configuration" : `The configuration ${escapeControls(origin.file)}`;
  const blocks = [`${name} cannot be used: ${count}.`];
  for (const finding of findings) {
    yield;
    const { source } = textOf(finding.span, origin);
    if (source !== undefined) yield* source.mask();
    blocks.push(printProblem(finding, origin));
  }
  return blocks.join("\n\n");
}

function printProblem(finding: Finding, origin: Origin): string {
  const problem = toProblem(finding, origin);
  const { line, column } = problem;
  const width = finding.span.end - finding.span.start;
  const excerpt =
    line === undefined ? [] : printExcerpt({ line, column: column!, width }, textOf(finding.span, origin).source!);
  const heading = `${headingOf(problem.path, problem)} (${problem.code})`;
  return [heading, `  ${problem.message.replaceAll("\n", "\n  ")}`, ...excerpt].join("\n");
}

function headingOf(path: string, where: Location): string {
  return [locationOf(where), path].filter((part) => part !== "").join(" ") || "configuration";
}

function locationOf({ file: name, line, column }: Location): string {
  const file = name === undefined ? undefined : escapeControls(name);
  if (line === undefined) return file ?? "";
  return file === undefined ? `line ${line}, column ${column}` : `${file}:${line}:${column}`;
}

/** The line of a place, secrets masked, and carets below the place. */
export function printExcerpt(
  { line, column, width }: Readonly<{ line: number; column: number; width: number }>,
  source: SourceText,
): string[] {
  const text = source.lineText(line);
  const at = column - 1;
  const from = text.length <= widestExcerpt ? 0 : Math.max(0, at - widestExcerpt / 2);
  const shown = blankControls(text.slice(from, from + widestExcerpt));
  const marked = Math.max(1, Math.min(width, shown.length - (at - from)));
  // Tabs stay tabs, so that the caret stands under its place however wide they are shown.
  const indent = shown.slice(0, at - from).replaceAll(/[^\t]/g, " ");
  const gutter = " ".repeat(String(line).length);
  return [`  ${line} | ${shown}`, `  ${gutter} | ${indent}${"^".repeat(marked)}`];
}
