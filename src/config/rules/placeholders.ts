import { findTemplateFault, placeholderNames } from "../../template.ts";
import { closestKey } from "../closest-key.ts";
import { quote } from "../json-node.ts";
import type { RouteRule } from "./rule.ts";
import { filledTemplatesOf, namesIn, upstreamTemplatesOf } from "./templates.ts";

const wholeQuery = /^\{(\w+)\}$/;

/** A placeholder takes one value: it stands once in path, query and header templates together. */
export const checkRepeatedPlaceholders: RouteRule = function checkRepeatedPlaceholders(route, { report }) {
  const seen = new Set<string>();
  for (const { text, place } of upstreamTemplatesOf(route)) {
    const names = placeholderNames(text);
    const repeated = new Set(names.filter((name, index) => seen.has(name) || names.indexOf(name) < index));
    for (const name of repeated) {
      const found = `${quote(`{${name}}`)} stands more than once in the upstream templates`;
      report("placeholder-repeated", place, `${found}: give each placeholder its own name`);
    }
    for (const name of names) seen.add(name);
  }
};

/** What is filled downstream is known upstream. */
export const checkMissingPlaceholders: RouteRule = function checkMissingPlaceholders(route, { report }) {
  const upstream = upstreamTemplatesOf(route);
  const path = route.config.UpstreamPathTemplate;
  if (path === undefined || upstream.some(({ text }) => findTemplateFault(text) !== undefined)) return;
  const known = namesIn(upstream);
  for (const template of filledTemplatesOf(route)) {
    if (findTemplateFault(template.text) !== undefined) continue;
    for (const name of namesIn([template])) {
      if (known.has(name)) continue;
      const closest = closestKey(name, known);
      const hint = closest === undefined ? "" : ` – did you mean ${quote(`{${closest}}`)}?`;
      const found = `${quote(`{${name}}`)} of ${template.label} is not in the upstream template ${quote(path)}`;
      report("placeholder-missing", template.place, `${found}: add it there or remove it here${hint}`);
    }
  }
};

/** In an upstream query a placeholder is a value, or the whole query. */
export const checkQueryTemplate: RouteRule = function checkQueryTemplate(route, { report }) {
  const [upstream] = upstreamTemplatesOf(route);
  if (route.config.UpstreamPathTemplate === undefined || upstream === undefined) return;
  const query = queryOf(upstream.text);
  if (query === undefined || wholeQuery.test(query)) return;
  for (const parameter of query.split("&")) {
    const name = parameter.replace(/=.*$/s, "");
    if (!/[{}]/.test(name)) continue;
    const expected = 'a placeholder is the value of a parameter ("id={id}") or the whole query ("?{rest}")';
    report("query-template", upstream.place, `${expected}, found ${quote(parameter)} in ${quote(query)}`);
  }
};

/** What takes the whole query can only be the whole query again. */
export const checkRest: RouteRule = function checkRest(route, { report }) {
  const rest = wholeQuery.exec(queryOf(route.config.UpstreamPathTemplate ?? "") ?? "")?.[1];
  if (rest === undefined) return;
  for (const { label, text, place } of filledTemplatesOf(route)) {
    const isWholeQuery = label === "DownstreamPathTemplate" && queryOf(text) === `{${rest}}`;
    const elsewhere = isWholeQuery ? text.slice(0, text.indexOf("?")) : text;
    if (!placeholderNames(elsewhere).includes(rest)) continue;
    const found = `${quote(`{${rest}}`)} takes the whole query of the client`;
    const expected = `it can only stand downstream as the whole query ("?{${rest}}")`;
    report("rest-misplaced", place, `${found}: ${expected}, found ${quote(text)}`);
  }
};

function queryOf(template: string): string | undefined {
  const start = template.indexOf("?");
  return start === -1 ? undefined : template.slice(start + 1);
}
