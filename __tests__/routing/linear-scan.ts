import { type MatchTarget, type RouteDefinition } from "../../src/routing/index/route-index.ts";
import { parseUpstreamTemplate } from "../../src/templates/upstream-template.ts";

/** A route with its templates as text. */
export type PlainRoute = Readonly<{
  path: string;
  query?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  methods?: readonly string[] | undefined;
  host?: string | undefined;
  caseSensitive?: boolean;
  priority?: number;
}>;

/** The index of the route that was found, and the values of its placeholders. */
export type Found = Readonly<{ route: number; values: Readonly<Record<string, string>> }>;

// A value is never cut in the middle of an escape.
const anyUnit = "(?:%[0-9a-fA-F]{2}|(?!%[0-9a-fA-F]{2}).)";
const pathUnit = "(?:%[0-9a-fA-F]{2}|(?!%[0-9a-fA-F]{2})[^/])";

type Values = Record<string, string>;

/** What the index is built from. */
export function defineRoutes(routes: readonly PlainRoute[]): RouteDefinition<number>[] {
  return routes.map(({ path, query, headers, methods, host, caseSensitive = false, priority = 1 }, value) => ({
    value,
    template: parseUpstreamTemplate(query === undefined ? path : `${path}?${query}`, headers),
    methods,
    host,
    caseSensitive,
    priority,
  }));
}

/**
 * The rules of matching once more, by regular expressions that are tried one after the other, as Ocelot does it. Shares
 * nothing with the index, so that the two can be compared.
 */
export function scanRoutes(routes: readonly PlainRoute[], target: MatchTarget): Found | undefined {
  const matching = routes
    .map((route, index) => ({ route: index, rank: rankOf(route), host: route.host, values: matchRoute(route, target) }))
    .filter(({ values }) => values !== undefined)
    .sort((one, other) => other.rank - one.rank || one.route - other.route);
  const best = matching.find(({ host }) => host !== undefined) ?? matching[0];
  return best === undefined ? undefined : { route: best.route, values: best.values! };
}

function rankOf({ path, query, priority = 1 }: PlainRoute): number {
  return /^\/\{\w+\}$/.test(path) && query === undefined ? 0 : priority;
}

function matchRoute(route: PlainRoute, target: MatchTarget): Values | undefined {
  if (!methodFits(route.methods ?? [], target.method) || !hostFits(route.host, target.host)) return undefined;
  const flags = route.caseSensitive === true ? "" : "i";
  const parts = [
    capture(pathSource(route.path), flags, normalise(target.path)),
    ...queryParts(route.query, target.query, flags),
    ...Object.entries(route.headers ?? {}).map(([name, template]) =>
      capture(source(template, escapeText, ".+"), flags, target.headers[name.toLowerCase()]?.toString()),
    ),
  ];
  return parts.includes(undefined) ? undefined : (Object.assign({}, ...parts) as Values);
}

function methodFits(methods: readonly string[], method: string): boolean {
  const named = methods.map((name) => name.trim().toUpperCase());
  return named.length === 0 ? !["TRACE", "CONNECT"].includes(method) : named.includes(method);
}

function hostFits(wanted: string | undefined, host = ""): boolean {
  if (wanted === undefined) return true;
  return [host, host.split(":")[0]!].some((one) => one.toLowerCase() === wanted.toLowerCase());
}

function normalise(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escape;
  });
}

function pathSource(path: string): string {
  const slash = path.lastIndexOf("/");
  const before = source(path.slice(0, slash), escapePath, `${pathUnit}+`);
  const last = path.slice(slash + 1);
  if (path === "/") return "/";
  if (last === "") return `${before}/?`;
  if (/^\{\w+\}$/.test(last)) return `${before}(?:/${source(last, escapePath, `${anyUnit}*`)})?`;
  const lastPlaceholder = last.lastIndexOf("{");
  if (lastPlaceholder === -1) return `${before}/${escapePath(last)}`;
  const earlier = source(last.slice(0, lastPlaceholder), escapePath, `${pathUnit}*`);
  return `${before}/${earlier}${source(last.slice(lastPlaceholder), escapePath, `${anyUnit}*`)}`;
}

/** A regular expression for a template: literals as `escape` says, each placeholder a group around `taken`. */
function source(template: string, escape: (literal: string) => string, taken: string): string {
  return template
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith("{") ? `(?<${part.slice(1, -1)}>${taken})` : escape(part)))
    .join("");
}

function escapeText(literal: string): string {
  return literal.replace(/[^A-Za-z0-9]/g, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** Percent-encoded bytes have no case, even where letters have one. */
function escapePath(literal: string): string {
  return normalise(encodeURI(literal).replaceAll("%25", "%"))
    .split(/(%[0-9a-f]{2})/i)
    .map((part) => (part.startsWith("%") ? anyCase(part) : escapeText(part)))
    .join("");
}

function anyCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}

function capture(pattern: string, flags: string, text: string | undefined): Values | undefined {
  const found = text === undefined ? null : new RegExp(`^(?:${pattern})$`, `su${flags}`).exec(text);
  if (found === null) return undefined;
  // The last segment is optional where it is one placeholder.
  return Object.fromEntries(
    Object.entries<string | undefined>(found.groups ?? {}).map(([name, value = ""]) => [name, value]),
  );
}

function queryParts(template: string | undefined, query: string | undefined, flags: string): (Values | undefined)[] {
  if (template === undefined) return [];
  const whole = /^\{(\w+)\}$/.exec(template);
  if (whole !== null) return [{ [whole[1]!]: query ?? "" }];
  return template.split("&").map((parameter) => {
    const [name = "", ...value] = parameter.split("=");
    return capture(
      source(value.join("="), (literal) => escapeQuery(literal, flags), `${anyUnit}*`),
      flags,
      rawValue(query ?? "", decode(name)),
    );
  });
}

function rawValue(query: string, name: string): string | undefined {
  const raw = query.split("&").find((parameter) => parameter !== "" && decode(parameter.split("=")[0]!) === name);
  return raw?.split("=").slice(1).join("=");
}

function decode(text: string): string {
  return new URLSearchParams(`x=${text}`).get("x")!;
}

/** Each byte of a literal value as it is or percent-encoded; a blank also as a plus sign. */
function escapeQuery(literal: string, flags: string): string {
  return [...Buffer.from(decode(literal))].map((byte) => anySpelling(byte, flags)).join("");
}

function anySpelling(byte: number, flags: string): string {
  const character = String.fromCharCode(byte);
  const cases = flags === "" ? [character] : [character.toLowerCase(), character.toUpperCase()];
  const encoded = cases.map((one) => `%${anyCase(one.charCodeAt(0).toString(16).padStart(2, "0"))}`);
  return `(?:${[escapeText(character), ...encoded, ...(character === " " ? ["\\+"] : [])].join("|")})`;
}
