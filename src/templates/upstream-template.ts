import { formDecode } from "../urls/form-decode.ts";
import { pathOf, queryOf } from "../urls/path-and-query.ts";
import { parseTemplate, type Template, type TemplatePart } from "./template.ts";

/** Where a placeholder of an upstream template takes its value from. */
export type PlaceholderOrigin = "path" | "query" | "header";

/** One `name=value` that a request's query must hold. */
export type QueryParameterTemplate = Readonly<{ name: string; value: Template }>;

/** One header that a request must carry. */
export type HeaderTemplate = Readonly<{ name: string; value: Template }>;

/** What a client's request must look like to belong to a route, parsed once. */
export type UpstreamTemplate = Readonly<{
  text: string;
  path: Template;
  /** The listed parameters, names form-decoded; empty where the template has no query. */
  query: readonly QueryParameterTemplate[];
  /** The placeholder of `?{rest}`, which takes the whole query, or of `&{rest}`, which takes what the others leave over. */
  wholeQuery: string | undefined;
  /** Names in lower case. */
  headers: readonly HeaderTemplate[];
  /** Every placeholder, and where its value comes from. */
  origins: ReadonlyMap<string, PlaceholderOrigin>;
  /** The only placeholder whose value may hold slashes, unless the path template ends in one. */
  lastPathPlaceholder: string | undefined;
  /** Form-decoded names of query parameters that a placeholder of the same name captures. */
  capturedParameters: ReadonlySet<string>;
}>;

// One for all templates that have none, as nearly all.
const noQuery: readonly QueryParameterTemplate[] = [];
const noHeaders: readonly HeaderTemplate[] = [];

const restTemplate = /(?:^|&)\{(\w+)\}$/;

/** Parses the upstream side of a route: path and query template, and header templates by name. */
export function parseUpstreamTemplate(
  text: string,
  headerTemplates?: Readonly<Record<string, string>>,
): UpstreamTemplate {
  const queryText = queryOf(text);
  const path = parseTemplate(pathOf(text));
  const wholeQuery = queryText === undefined ? undefined : restTemplate.exec(queryText)?.[1];
  const query = queryText === undefined ? noQuery : parseQueryTemplate(queryText.replace(restTemplate, ""));
  const headers = headerTemplates === undefined ? noHeaders : parseHeaderTemplates(headerTemplates);

  const origins = new Map<string, PlaceholderOrigin>();
  const names = namesOf(path);
  for (const name of names) origins.set(name, "path");
  for (const name of query.flatMap(({ value }) => namesOf(value))) origins.set(name, "query");
  if (wholeQuery !== undefined) origins.set(wholeQuery, "query");
  for (const name of headers.flatMap(({ value }) => namesOf(value))) origins.set(name, "header");

  return {
    text,
    path,
    query,
    wholeQuery,
    headers,
    origins,
    lastPathPlaceholder: names.at(-1),
    capturedParameters: capturedIn(query),
  };
}

/** The names of a parsed template's placeholders, in order. */
export function namesOf(template: Template): string[] {
  return template.parts.filter(isPlaceholder).map(({ placeholder }) => placeholder);
}

const noParameters: ReadonlySet<string> = new Set();

function capturedIn(query: readonly QueryParameterTemplate[]): ReadonlySet<string> {
  if (query.length === 0) return noParameters;
  return new Set(query.filter(({ name, value }) => namesOf(value).includes(name)).map(({ name }) => name));
}

function isPlaceholder(part: TemplatePart): part is Exclude<TemplatePart, string> {
  return typeof part !== "string";
}

function parseQueryTemplate(text: string): QueryParameterTemplate[] {
  const parameters = text.split("&").filter((parameter) => parameter !== "");
  return parameters.map((parameter) => {
    const equals = parameter.indexOf("=");
    const name = equals === -1 ? parameter : parameter.slice(0, equals);
    return { name: formDecode(name), value: parseTemplate(equals === -1 ? "" : parameter.slice(equals + 1)) };
  });
}

function parseHeaderTemplates(templates: Readonly<Record<string, string>>): HeaderTemplate[] {
  return Object.entries(templates).map(([name, value]) => {
    return { name: name.toLowerCase(), value: parseTemplate(value, asWritten) };
  });
}

function asWritten(literal: string): string {
  return literal;
}
