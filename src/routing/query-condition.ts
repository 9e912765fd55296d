import { formDecode } from "../urls/form-decode.ts";
import type { QueryParameterTemplate } from "../templates/upstream-template.ts";
import { type ComparedText, compareQueryValue, cutOriginal } from "./compared-text.ts";
import { ignoreCase } from "./ignore-case.ts";
import { getOrAdd } from "./index/get-or-add.ts";
import { compileValuePattern, locateValues, type SegmentPattern, storeValues } from "../templates/segment-pattern.ts";

/** The raw value of each parameter of a query by its form-decoded name; of a repeated one the first. */
export type QueryParameters = ReadonlyMap<string, string>;

/** A parameter that a query must hold, with a value that fits. */
export type QueryCondition = Readonly<{
  name: string;
  /** The whole value, form-decoded and folded; undefined where there is a placeholder. */
  literal: string | undefined;
  pattern: SegmentPattern;
  caseSensitive: boolean;
}>;

// A character has three bytes at most, each of three characters: no longer value is decoded for each of many candidates.
const mostSpelling = 9;

/** Reads a raw query. */
export function readQueryParameters(query: string | undefined): QueryParameters {
  const parameters = new Map<string, string>();
  for (const parameter of query?.split("&") ?? []) {
    const equals = parameter.indexOf("=");
    const name = formDecode(equals === -1 ? parameter : parameter.slice(0, equals));
    if (parameter !== "" && !parameters.has(name))
      parameters.set(name, equals === -1 ? "" : parameter.slice(equals + 1));
  }
  return parameters;
}

/** What of a raw query the conditions leave over. */
export function leaveOutParameters(query: string, conditions: readonly QueryCondition[]): string {
  if (conditions.length === 0 || query === "") return query;
  const names = new Set(conditions.map(({ name }) => name));
  const kept = query.split("&").filter((parameter) => {
    const equals = parameter.indexOf("=");
    return !names.has(formDecode(equals === -1 ? parameter : parameter.slice(0, equals)));
  });
  return kept.join("&");
}

/** Compiles a parameter of an upstream template for comparing with or without case. */
export function compileQueryCondition({ name, value }: QueryParameterTemplate, caseSensitive: boolean): QueryCondition {
  const pattern = compileValuePattern(value, (literal) => compareQueryValue(literal, caseSensitive).text);
  const literal = pattern.names.length > 0 ? undefined : foldQueryValue(value.text, caseSensitive);
  return { name, literal, pattern, caseSensitive };
}

/** A raw value as literal values are compared: form-decoded, and without case unless the route cares. */
export function foldQueryValue(raw: string, caseSensitive: boolean): string {
  return ignoreCase(formDecode(raw), caseSensitive);
}

/** Whether the query fulfils the condition; the values of its placeholders are added to `values` if that is given. */
export function matchQueryParameter(
  { name, literal, pattern, caseSensitive }: QueryCondition,
  parameters: QueryParameters,
  values?: Record<string, string>,
): boolean {
  const raw = parameters.get(name);
  if (raw === undefined) return false;
  if (literal !== undefined) {
    return raw.length <= literal.length * mostSpelling && foldQueryValue(raw, caseSensitive) === literal;
  }
  const compared = compareOnce(parameters, name, caseSensitive);
  const end = compared.text.length;
  const positions = locateValues(pattern, compared.text, { start: 0, end, reach: end, least: 0 });
  if (positions === undefined) return false;
  if (values !== undefined) {
    storeValues(pattern, positions, (from, to) => cutOriginal(raw, compared, from, to), values);
  }
  return true;
}

let comparedParameters: QueryParameters | undefined;
const withCase = new Map<string, ComparedText>();
const withoutCase = new Map<string, ComparedText>();

/** The same value is compared with every candidate: it is brought into its compared form once for a request. */
function compareOnce(parameters: QueryParameters, name: string, caseSensitive: boolean): ComparedText {
  if (comparedParameters !== parameters) {
    comparedParameters = parameters;
    withCase.clear();
    withoutCase.clear();
  }
  return getOrAdd(caseSensitive ? withCase : withoutCase, name, () =>
    compareQueryValue(parameters.get(name) ?? "", caseSensitive),
  );
}
