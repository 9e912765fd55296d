import { closestKey } from "../../closest-key.ts";
import { quote } from "../json-node.ts";
import { locate } from "../place.ts";
import type { RouteRule } from "./rule.ts";

const wholeQuery = /^\{(\w+)\}$/;

/** A placeholder takes one value: it stands once in path, query and header templates together. */
export const checkRepeatedPlaceholders: RouteRule = function checkRepeatedPlaceholders(route, report) {
  const seen = new Set<string>();
  for (const { names, path } of route.templates.upstream) {
    const repeated = names.filter((name, index) => seen.has(name) || names.indexOf(name) < index);
    for (const name of new Set(repeated)) {
      const found = `${quote(`{${name}}`)} stands more than once in the upstream templates`;
      report("placeholder-repeated", locate(route.place, path), `${found}: give each placeholder its own name`);
    }
    for (const name of names) seen.add(name);
  }
};

/** What is filled downstream is known upstream. */
export const checkMissingPlaceholders: RouteRule = function checkMissingPlaceholders(route, report) {
  const { upstream, filled } = route.templates;
  const path = route.config.UpstreamPathTemplate;
  if (path === undefined || upstream.some(({ fault }) => fault !== undefined)) return;
  const known = new Set(upstream.flatMap(({ names }) => names));
  for (const template of filled.filter(({ fault }) => fault === undefined)) {
    for (const name of new Set(template.names).difference(known)) {
      const closest = closestKey(name, known);
      const hint = closest === undefined ? "" : ` – did you mean ${quote(`{${closest}}`)}?`;
      const found = `${quote(`{${name}}`)} of ${template.label} is not in the upstream template ${quote(path)}`;
      const message = `${found}: add it there or remove it here${hint}`;
      report("placeholder-missing", locate(route.place, template.path), message);
    }
  }
};

/** In an upstream query a placeholder is a value, or the whole query. */
export const checkQueryTemplate: RouteRule = function checkQueryTemplate({ config, place }, report) {
  const query = queryOf(config.UpstreamPathTemplate ?? "");
  if (query === undefined || wholeQuery.test(query)) return;
  for (const parameter of query.split("&")) {
    const name = parameter.replace(/=.*$/s, "");
    if (!/[{}]/.test(name)) continue;
    const expected = 'a placeholder is the value of a parameter ("id={id}") or the whole query ("?{rest}")';
    const found = `found ${quote(parameter)} in ${quote(query)}`;
    report("query-template", locate(place, ["UpstreamPathTemplate"]), `${expected}, ${found}`);
  }
};

/** What takes the whole query can only be the whole query again. */
export const checkRest: RouteRule = function checkRest({ config, place, templates }, report) {
  const rest = wholeQuery.exec(queryOf(config.UpstreamPathTemplate ?? "") ?? "")?.[1];
  if (rest === undefined) return;
  for (const { label, text, names, path } of templates.filled) {
    const isWholeQuery = label === "DownstreamPathTemplate" && queryOf(text) === `{${rest}}`;
    const allowed = isWholeQuery ? 1 : 0;
    if (names.filter((name) => name === rest).length <= allowed) continue;
    const found = `${quote(`{${rest}}`)} takes the whole query of the client`;
    const expected = `it can only stand downstream as the whole query ("?{${rest}}")`;
    report("rest-misplaced", locate(place, path), `${found}: ${expected}, found ${quote(text)}`);
  }
};

function queryOf(template: string): string | undefined {
  const start = template.indexOf("?");
  return start === -1 ? undefined : template.slice(start + 1);
}
