import { createCandidate } from "./index/candidate.ts";
import { takesMethod } from "./method-condition.ts";
import { comparePath } from "./compared-text.ts";
import { type HeaderCondition, matchHeader, headerText } from "./header-condition.ts";
import { hostKeys } from "./host-header.ts";
import { normalisePath } from "../urls/normalise-path.ts";
import { findPathMisfit } from "./path-misfit.ts";
import { matchQueryParameter, type QueryCondition, readQueryParameters } from "./query-condition.ts";
import type { MatchTarget, RouteDefinition } from "./index/route-index.ts";
import type { SegmentPattern } from "../templates/segment-pattern.ts";

/** One thing of a request that a route does not take, in words. */
type Misfit = Readonly<{ aspect: "path" | "host" | "method" | "query" | "header"; message: string }>;

/**
 * Why a route does not take a request; empty when it does. Nothing is decided by it: the index decides. Of a path that
 * does not fit nothing else is told.
 */
export function findMisfits<R>(definition: RouteDefinition<R>, target: MatchTarget): Misfit[] {
  const candidate = createCandidate(definition, 0);
  const path = normalisePath(target.path);
  const parameters = readQueryParameters(target.query);
  const pathMisfit = findPathMisfit({
    pattern: candidate.pattern,
    templateText: definition.template.path.text,
    path,
    compared: comparePath(path, candidate.caseSensitive),
  });
  if (pathMisfit !== undefined) return [{ aspect: "path", message: pathMisfit + caseHint(definition, path) }];
  return [
    ...hostMisfits(definition.host, target.host),
    ...(takesMethod(candidate.methods, target.method) ? [] : [methodMisfit(candidate.methods, target.method)]),
    ...candidate.query
      .filter((condition) => !matchQueryParameter(condition, parameters))
      .map((condition) => queryMisfit(condition, parameters.get(condition.name))),
    ...candidate.headers
      .filter((condition) => !matchHeader(condition, target.headers))
      .map((condition) => headerMisfit(condition, headerText(target.headers, condition.name))),
  ];
}

/** Tells where only the case differs: the mistake that is hardest to see. */
function caseHint<R>(definition: RouteDefinition<R>, path: string): string {
  if (!definition.caseSensitive) return "";
  const { pattern } = createCandidate({ ...definition, caseSensitive: false }, 0);
  const templateText = definition.template.path.text;
  const misfit = findPathMisfit({ pattern, templateText, path, compared: comparePath(path, false) });
  return misfit === undefined ? "; only the case differs, and RouteIsCaseSensitive is true" : "";
}

function hostMisfits(wanted: string | undefined, host: string | undefined): Misfit[] {
  if (wanted === undefined || (host !== undefined && hostKeys(host).includes(wanted.toLowerCase()))) return [];
  const found = host === undefined ? "there is no Host header" : `the host is ${JSON.stringify(host)}`;
  return [{ aspect: "host", message: `${found}, the route is for ${JSON.stringify(wanted)}` }];
}

function methodMisfit(methods: readonly string[] | undefined, method: string): Misfit {
  const message =
    methods === undefined
      ? `${method} must be named in UpstreamHttpMethod, and the route names no method`
      : `the method is ${method}, the route takes ${methods.join(", ")}`;
  return { aspect: "method", message };
}

function queryMisfit({ name, pattern }: QueryCondition, raw: string | undefined): Misfit {
  const parameter = JSON.stringify(name);
  const message =
    raw === undefined
      ? `the query has no parameter ${parameter}`
      : `the query's ${parameter} does not fit ${JSON.stringify(textOf(pattern))}`;
  return { aspect: "query", message };
}

function headerMisfit({ name, pattern }: HeaderCondition, value: string | undefined): Misfit {
  const header = JSON.stringify(name);
  const message =
    value === undefined
      ? `the request has no header ${header}`
      : `the header ${header} does not fit ${JSON.stringify(textOf(pattern))}`;
  return { aspect: "header", message };
}

/** A pattern as a template shows it; literal text is masked, as it may be a secret. */
function textOf({ names, literals }: SegmentPattern): string {
  return literals
    .map((literal, index) => (literal === "" ? "" : "***") + (index < names.length ? `{${names[index]!}}` : ""))
    .join("");
}
