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

const restTemplate = /(?:^|&)\{(\w+)\}$/;

/** Parses the upstream side of a route: path and query template, and header templates by name. */
export function parseUpstreamTemplate(
  text: string,
  headerTemplates: Readonly<Record<string, string>> = {},
): UpstreamTemplate {
  const queryText = queryOf(text) ?? "";
  const path = parseTemplate(pathOf(text));
  const wholeQuery = restTemplate.exec(queryText)?.[1];
  const query = parseQueryTemplate(queryText.replace(restTemplate, ""));
  const headers = Object.entries(headerTemplates).map(([name, value]) => parseHeaderTemplate(name, value));

  const origins = new Map<string, PlaceholderOrigin>();
  for (const name of namesOf(path)) origins.set(name, "path");
  for (const name of query.flatMap(({ value }) => namesOf(value))) origins.set(name, "query");
  if (wholeQuery !== undefined) origins.set(wholeQuery, "query");
  for (const name of headers.flatMap(({ value }) => namesOf(value))) origins.set(name, "header");

  const lastPathPlaceholder = namesOf(path).at(-1);
  return {
    text,
    path,
    query,
    wholeQuery,
    headers,
    origins,
    lastPathPlaceholder,
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

function parseHeaderTemplate(name: string, value: string): HeaderTemplate {
  return { name: name.toLowerCase(), value: parseTemplate(value, asWritten) };
}

function asWritten(literal: string): string {
  return literal;
}
