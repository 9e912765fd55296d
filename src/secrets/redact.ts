import type { Route } from "../route.ts";
import { formDecode } from "../template/form-decode.ts";
import { parseUpstreamTemplate } from "../template/upstream-template.ts";
import { isNamingParameter } from "./naming-parameters.ts";
import { looksSecretValue, secretMask } from "./secrets.ts";

/** What of a route tells which parameters have literal values. */
export type RedactingRoute = Pick<Route, "upstreamPathTemplate" | "downstreamPathTemplate">;

/** A URL, or path with query, as it may stand in logs: secrets are masked, control characters escaped. */
export function redactUrl(url: string, route: RedactingRoute, secretValues: readonly string[] = []): string {
  const questionMark = url.indexOf("?");
  const [path, query] =
    questionMark === -1 ? [url, undefined] : [url.slice(0, questionMark), url.slice(questionMark + 1)];
  const shownPath = redactPath(path);
  const shown = query === undefined ? shownPath : `${shownPath}?${redactQuery(query, fixedParametersOf(route))}`;
  return encodeControls(maskValues(shown, secretValues));
}

/** Control characters would let a request write lines of its own into a log. */
function encodeControls(text: string): string {
  return text.replace(/[\0-\x1f\x7f-\x9f\u2028\u2029]/g, (character) => encodeURIComponent(character));
}

function redactQuery(query: string, fixed: ReadonlySet<string>): string {
  // Some servers read a semicolon like an ampersand.
  return query
    .split(/([&;])/)
    .map((parameter) => {
      const equals = parameter.indexOf("=");
      if (equals === -1) return parameter;
      const name = formDecode(parameter.slice(0, equals));
      const isSecret = looksSecretValue(name) || fixed.has(name.toLowerCase());
      return isSecret && !isNamingParameter(name) ? `${parameter.slice(0, equals)}=${secretMask}` : parameter;
    })
    .join("");
}

/** A path may have parameters, too, behind semicolons. */
function redactPath(path: string): string {
  return path
    .replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?#@]*@/i, `$1${secretMask}@`)
    .replace(/;([^;/=]+)=[^;/]*/g, (parameter, name: string) => {
      return looksSecretValue(formDecode(name)) ? `;${name}=${secretMask}` : parameter;
    });
}

/** The values of placeholders with names like those of secrets. */
export function secretValuesOf(placeholders: Readonly<Record<string, string>>): string[] {
  return Object.entries(placeholders).flatMap(([name, value]) =>
    value !== "" && looksSecretValue(name) ? [value] : [],
  );
}

/** A value that is a secret is one wherever it was put, and however it was escaped there. */
export function maskValues(text: string, secretValues: readonly string[]): string {
  // One may be part of another: the longest is found first, and what is masked is not looked at again.
  const longestFirst = secretValues.filter((value) => value !== "").toSorted((one, other) => other.length - one.length);
  if (longestFirst.length === 0) return text;
  return text.replace(new RegExp(longestFirst.map(anySpellingOf).join("|"), "giu"), secretMask);
}

/** Finds a value with any of its characters escaped, as it may cross from a header or query into a path, or back. */
function anySpellingOf(value: string): string {
  const decoded = value.replace(/%([\dA-F]{2})/gi, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Array.from(decoded, anySpellingOfCharacter).join("");
}

function anySpellingOfCharacter(character: string): string {
  // In a query both stand for a blank.
  if (character === " " || character === "+") return "(?:[ +]|%20|%2B)";
  const escapes = [Buffer.from(character, "utf8"), Buffer.from(character, "latin1")].map((bytes) => {
    return bytes.toString("hex").replace(/../g, "%$&");
  });
  return `(?:${[`\\u{${character.codePointAt(0)!.toString(16)}}`, ...new Set(escapes)].join("|")})`;
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
  const fixed = new Set(names.map((name) => name.toLowerCase()));
  fixedParameters.set(route, fixed);
  return fixed;
}
