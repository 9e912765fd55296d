import type { IncomingHttpHeaders } from "node:http";
import type { UpstreamTemplate } from "../../templates/upstream-template.ts";
import { compileHeaderCondition, type HeaderCondition, matchHeader } from "../header-condition.ts";
import { compileMethodCondition, type MethodCondition } from "../method-condition.ts";
import { compilePathPattern, type PathPattern } from "../path-pattern.ts";
import {
  compileQueryCondition,
  leaveOutParameters,
  matchQueryParameter,
  type QueryCondition,
  type QueryParameters,
} from "../query-condition.ts";

/** A route as the index knows it: everything but its host is compiled for comparing. */
export type Candidate<R> = Readonly<{
  value: R;
  /** Its place in the order of all routes: the lowest that matches wins. */
  rank: number;
  methods: MethodCondition;
  caseSensitive: boolean;
  pattern: PathPattern;
  query: readonly QueryCondition[];
  wholeQuery: string | undefined;
  headers: readonly HeaderCondition[];
}>;

/** What is compared of a request besides its path. */
export type Conditions = Readonly<{
  method: string;
  headers: IncomingHttpHeaders;
  query: string | undefined;
  /** Reads the query at its first use. */
  parameters: () => QueryParameters;
}>;

type CandidateSettings<R> = Readonly<{
  value: R;
  template: UpstreamTemplate;
  methods: readonly string[] | undefined;
  caseSensitive: boolean;
}>;

/** Compiles a route for the index. */
export function createCandidate<R>(settings: CandidateSettings<R>, rank: number): Candidate<R> {
  const { value, template, methods, caseSensitive } = settings;
  return {
    value,
    rank,
    methods: compileMethodCondition(methods),
    caseSensitive,
    pattern: compilePathPattern(template.path, caseSensitive),
    query: compileEach(template.query, compileQueryCondition, caseSensitive),
    wholeQuery: template.wholeQuery,
    headers: compileEach(template.headers, compileHeaderCondition, caseSensitive),
  };
}

const none: readonly never[] = [];

/** Of what a template does not ask for, as nearly all do not, there is one empty list for all. */
function compileEach<From, To>(
  list: readonly From[],
  compile: (one: From, caseSensitive: boolean) => To,
  caseSensitive: boolean,
): readonly To[] {
  return list.length === 0 ? none : list.map((one) => compile(one, caseSensitive));
}

/** Whether a request whose path and method fit has the query and the headers that a route asks for. */
export function fulfils<R>({ query, headers }: Candidate<R>, conditions: Conditions): boolean {
  return (
    query.every((parameter) => matchQueryParameter(parameter, conditions.parameters())) &&
    headers.every((header) => matchHeader(header, conditions.headers))
  );
}

/** Adds the values of query and header placeholders to those of the path. */
export function addConditionValues<R>(
  candidate: Candidate<R>,
  conditions: Conditions,
  values: Record<string, string>,
): void {
  for (const parameter of candidate.query) matchQueryParameter(parameter, conditions.parameters(), values);
  for (const header of candidate.headers) matchHeader(header, conditions.headers, values);
  if (candidate.wholeQuery !== undefined) {
    values[candidate.wholeQuery] = leaveOutParameters(conditions.query ?? "", candidate.query);
  }
}
