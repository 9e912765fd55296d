import { formDecode } from "./form-decode.ts";
import { isNamingParameter } from "./naming-parameters.ts";
import type { Route } from "./route.ts";
import { looksSecretValue, secretMask } from "./secrets.ts";
import { parseUpstreamTemplate } from "./upstream-template.ts";

/** What of a route tells which parameters have literal values. */
export type RedactingRoute = Pick<Route, "upstreamPathTemplate" | "downstreamPathTemplate">;

/** A URL, or path with query, as it may stand in logs: secrets are masked, control characters escaped. */
export function redactUrl(
  url: string,
  route: RedactingRoute,
  placeholders: Readonly<Record<string, string>> = {},
): string {
  const questionMark = url.indexOf("?");
  const [path, query] =
    questionMark === -1 ? [url, undefined] : [url.slice(0, questionMark), url.slice(questionMark + 1)];
  const shown = query === undefined ? path : `${path}?${redactQuery(query, fixedParametersOf(route))}`;
  return escapeControls(withoutSecretValues(shown, placeholders));
}

/** Control characters would let a request write lines of its own into a log. */
export function escapeControls(text: string): string {
  return text.replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]/g, (character) => encodeURIComponent(character));
}

function redactQuery(query: string, fixed: ReadonlySet<string>): string {
  return query
    .split("&")
    .map((parameter) => {
      const equals = parameter.indexOf("=");
      if (equals === -1) return parameter;
      const name = formDecode(parameter.slice(0, equals));
      const isSecret = (looksSecretValue(name) || fixed.has(name)) && !isNamingParameter(name);
      return isSecret ? `${parameter.slice(0, equals)}=${secretMask}` : parameter;
    })
    .join("&");
}

function withoutSecretValues(text: string, placeholders: Readonly<Record<string, string>>): string {
  let result = text;
  for (const name in placeholders) {
    const value = placeholders[name]!;
    if (value !== "" && looksSecretValue(name)) result = result.replaceAll(value, secretMask);
  }
  return result;
}

const fixedParameters = new WeakMap<RedactingRoute, ReadonlySet<string>>();

/** The parameters for which a template of the route has a literal value: an operator's key is sent like that. */
function fixedParametersOf(route: RedactingRoute): ReadonlySet<string> {
  const known = fixedParameters.get(route);
  if (known !== undefined) return known;
  const names = [route.upstreamPathTemplate, route.downstreamPathTemplate].flatMap((text) =>
    parseUpstreamTemplate(text)
      .query.filter(({ value }) => value.parts.some((part) => typeof part === "string"))
      .map(({ name }) => name),
  );
  const fixed = new Set(names);
  fixedParameters.set(route, fixed);
  return fixed;
}
