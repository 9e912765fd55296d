import { closestName } from "../../closest-name.ts";
import { quote } from "../../json/json-node.ts";
import { queryOf } from "../../urls/path-and-query.ts";
import { locate } from "../../json/place.ts";
import type { OpenRoute, RouteRule } from "./rule.ts";

const rest = /(?:^|&)\{(\w+)\}$/;
// A bound for templates with very many names: each hint looks at all that are known.
const mostHints = 20;

/** A placeholder takes one value: it stands once in path, query and header templates together. */
export const checkRepeatedPlaceholders: RouteRule = function checkRepeatedPlaceholders(route, report) {
  const { upstream } = route.templates;
  if (upstream.length === 1 && upstream[0]!.names.length <= 1) return;
  const seen = new Set<string>();
  for (const { names, path } of upstream) {
    const repeated = new Set<string>();
    for (const name of names) (seen.has(name) ? repeated : seen).add(name);
    for (const name of repeated) {
      const found = `${quote(`{${name}}`)} stands more than once in the upstream templates`;
      report("placeholder-repeated", locate(route.place, path), `${found}: give each placeholder its own name`);
    }
  }
};

/** What is filled downstream is known upstream. */
export const checkMissingPlaceholders: RouteRule = function checkMissingPlaceholders(route, report) {
  const { upstream, filled } = route.templates;
  const path = route.config.UpstreamPathTemplate;
  if (path === undefined || upstream.some(({ fault }) => fault !== undefined)) return;
  const known = new Set(upstream.flatMap(({ names }) => names));
  let hints = 0;
  for (const template of filled) {
    const missing = template.names.filter((name) => !known.has(name));
    if (template.fault !== undefined || missing.length === 0) continue;
    for (const name of new Set(missing)) {
      if (template.label === "DownstreamPathTemplate" && isFilledByClaim(route.config, name)) continue;
      const closest = (hints += 1) > mostHints ? undefined : closestName(name, known);
      const hint = closest === undefined ? "" : ` – did you mean ${quote(`{${closest}}`)}?`;
      const found = `${quote(`{${name}}`)} of ${template.label} is not in the upstream template ${quote(path)}`;
      const message = `${found}: add it there or remove it here${hint}`;
      report("placeholder-missing", locate(route.place, template.path), message);
    }
  }
};

function isFilledByClaim({ ChangeDownstreamPathTemplate: filled = {} }: OpenRoute["config"], name: string): boolean {
  return Object.hasOwn(filled, name);
}

/** In an upstream query a placeholder is a value, or what is left of the query. */
export const checkQueryTemplate: RouteRule = function checkQueryTemplate({ config, place }, report) {
  const query = queryOf(config.UpstreamPathTemplate ?? "");
  for (const parameter of query?.replace(rest, "").split("&") ?? []) {
    const name = parameter.replace(/=.*$/s, "");
    if (!/[{}]/.test(name)) continue;
    const expected =
      'a placeholder is the value of a parameter ("id={id}"), or all that is left ("?{rest}", "&{rest}")';
    const found = `found ${quote(parameter)} in ${quote(query!)}`;
    report("query-template", locate(place, ["UpstreamPathTemplate"]), `${expected}, ${found}`);
  }
};

/** What takes the rest of a query is one downstream: all of it, its end, or the value of a parameter. */
export const checkRest: RouteRule = function checkRest({ config, place, templates }, report) {
  const name = rest.exec(queryOf(config.UpstreamPathTemplate ?? "") ?? "")?.[1];
  if (name === undefined) return;
  for (const { label, text, names, path } of templates.filled) {
    const query = label === "DownstreamPathTemplate" ? queryOf(text) : undefined;
    if (names.filter((other) => other === name).length <= countRests(query ?? "", name)) continue;
    const found = `${quote(`{${name}}`)} takes what the client's query holds`;
    const places = `("?{${name}}", "&{${name}}") or the value of a parameter ("?q={${name}}")`;
    const expected = `downstream it can only be the end of the query ${places}`;
    report("rest-misplaced", locate(place, path), `${found}: ${expected}, found ${quote(text)}`);
  }
};

/** How often a rest stands in a query where it may. */
function countRests(query: string, name: string): number {
  const written = `{${name}}`;
  const ends = rest.exec(query)?.[1] === name ? 1 : 0;
  const values = query
    .replace(rest, "")
    .split("&")
    .map((parameter) => parameter.replace(/^[^=]*=?/, ""));
  return ends + values.reduce((count, value) => count + value.split(written).length - 1, 0);
}
