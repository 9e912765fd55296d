import type { RouteConfig } from "../config/sections.ts";
import { compileMethodCondition, type MethodCondition, takesMethod } from "../routing/method-condition.ts";
import { compilePathPattern, type PathPattern } from "../routing/path-pattern.ts";
import { takesAllPathsOf } from "../routing/shared-paths.ts";
import { parseTemplate } from "../templates/template.ts";
import { pathOf, queryOf } from "../urls/path-and-query.ts";

/** What a request must be like to belong to a route. */
export type RequestConditions = Readonly<{
  /** Without case, whether that counts or not. */
  pattern: PathPattern;
  isCaseSensitive: boolean;
  path: string;
  query: string | undefined;
  methods: MethodCondition;
  host: string | undefined;
  headers: ReadonlyMap<string, string>;
}>;

/** A method by name; undefined stands for those that neither of two routes names. */
export type Method = string | undefined;

const placeholder = /\{\w+\}/g;

/** Reads what a route asks of requests. */
export function readConditions(route: RouteConfig): RequestConditions {
  const { UpstreamPathTemplate: template, UpstreamHeaderTemplates: headers = {} } = route;
  return {
    pattern: compilePathPattern(parseTemplate(pathOf(template)), false),
    isCaseSensitive: route.RouteIsCaseSensitive ?? false,
    path: withoutNames(pathOf(template)),
    query: queryOf(template) && withoutNames(queryOf(template)!),
    methods: compileMethodCondition(route.UpstreamHttpMethod),
    host: route.UpstreamHost?.toLowerCase(),
    headers: new Map(Object.entries(headers).map(([name, text]) => [name.toLowerCase(), withoutNames(text)])),
  };
}

/** The methods of requests that may fulfil the conditions of two routes whose paths have something in common. */
export function sharedMethods(one: RequestConditions, other: RequestConditions): readonly Method[] {
  if (!mayShareHost(one, other) || !mayShareHeaders(one, other)) return [];
  if (one.methods === undefined && other.methods === undefined) return [undefined];
  const [named, rest] = one.methods === undefined ? [other.methods!, one] : [one.methods, other];
  return named.filter((method) => takesMethod(rest.methods, method));
}

/** Whether one is known to be fulfilled, but for the method, wherever the other is. */
export function takesAllOf(one: RequestConditions, other: RequestConditions): boolean {
  if (one.isCaseSensitive && !(other.isCaseSensitive && one.path === other.path)) return false;
  if (one.host !== undefined && one.host !== other.host) return false;
  if (one.query !== undefined && one.query !== other.query) return false;
  const asksForMore = [...one.headers].some(([name, text]) => other.headers.get(name) !== text);
  return !asksForMore && takesAllPathsOf(one.pattern, other.pattern);
}

/** Whether the method is one that the conditions allow. */
export function takes({ methods }: RequestConditions, method: Method): boolean {
  return method === undefined ? methods === undefined : takesMethod(methods, method);
}

/** The same template for all that differ in the names of their placeholders only. */
function withoutNames(template: string): string {
  return template.replace(placeholder, "{}");
}

function mayShareHost({ host: one }: RequestConditions, { host: other }: RequestConditions): boolean {
  return one === undefined || other === undefined || withoutPort(one) === withoutPort(other);
}

function withoutPort(host: string): string {
  return host.replace(/:\d*$/, "");
}

/** Header templates without placeholders are for one value. */
function mayShareHeaders({ headers: one }: RequestConditions, { headers: other }: RequestConditions): boolean {
  return [...one].every(([name, text]) => {
    const second = other.get(name);
    const isOpen = second === undefined || text.includes("{}") || second.includes("{}");
    return isOpen || text.toLowerCase() === second.toLowerCase();
  });
}
