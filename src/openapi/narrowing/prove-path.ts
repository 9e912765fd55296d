import type { RouteConfig } from "../../config/sections.ts";
import type { MatchTarget, RouteIndex } from "../../routing/index/route-index.ts";
import { encodeLiteral, type Template } from "../../templates/template.ts";
import type { UpstreamTemplate } from "../../templates/upstream-template.ts";
import { normalisePath } from "../../urls/normalise-path.ts";
import { findPathFault } from "../../urls/path-faults.ts";
import type { ClientPath, ParameterPlace } from "./client-path.ts";
import type { Bindings } from "./match-template.ts";
import { type PathSegment, textOf } from "./path-segments.ts";

/** A route, and how it is found. */
export type FindableRoute<R> = Readonly<{ value: R; template: UpstreamTemplate; config: RouteConfig }>;

/** A path that a route should take. */
export type SupposedPath<R> = Readonly<{
  /** The path of the document. */
  segments: readonly PathSegment[];
  route: FindableRoute<R>;
  client: ClientPath;
  bindings: Bindings;
}>;

/** A text at the place where clients write it. */
export type FilledPlace = Readonly<{ place: ParameterPlace; text: string }>;

/** What a client asks for: a method, and what it fills in. */
type FilledRequest = Readonly<{ method: string; filled: readonly FilledPlace[] }>;

/**
 * Whether the route really gets what clients ask for there, by each of some methods: the gateway's own index is asked, with
 * values that nobody would write. Another route may stand before it.
 */
export function provenMethods<R>(
  supposed: SupposedPath<R>,
  methods: readonly string[],
  index: Pick<RouteIndex<R>, "find">,
): readonly string[] {
  const { route, bindings } = supposed;
  const values = sampleValues(bindings);
  const target = targetOf(supposed, []);
  return target === undefined ? [] : methods.filter((method) => isFound(method, target));

  function isFound(method: string, sample: Omit<MatchTarget, "method">): boolean {
    const found = index.find({ ...sample, method: method.toUpperCase() });
    if (found?.value !== route.value) return false;
    return [...route.template.origins].every(([name, origin]) => {
      const value = values.get(name);
      return origin !== "path" || value === undefined || found.placeholders[name] === normalisePath(value);
    });
  }
}

/** Whether the route gets a request in which some places hold what is filled in. */
export function findsRoute<R>(
  supposed: SupposedPath<R>,
  { method, filled }: FilledRequest,
  index: Pick<RouteIndex<R>, "find">,
): boolean {
  const target = targetOf(supposed, filled);
  return (
    target !== undefined && index.find({ ...target, method: method.toUpperCase() })?.value === supposed.route.value
  );
}

/**
 * What clients ask for there. What the gateway refuses, from clients or to a service, is nowhere: a browser would make another
 * path of it, and ask for that.
 */
function targetOf(
  { segments, route: { template, config }, client, bindings }: SupposedPath<unknown>,
  filled: readonly FilledPlace[],
): Omit<MatchTarget, "method"> | undefined {
  const texts = new Map(filled.map(({ place, text }) => [`${place.in} ${place.name}`, text]));
  const values = sampleValues(bindings);
  const path = encodeLiteral(fillPath(client.path));
  const servicePath = encodeLiteral(fillPath(`/${segments.map(textOf).join("/")}`));
  const isRefused = findPathFault(path) !== undefined || findPathFault(servicePath) !== undefined;
  if (isRefused || /[?#]/.test(path)) return undefined;
  const query = new Map(template.query.map(({ name, value }) => [name, fill(value, values)]));
  const headers = new Map(template.headers.map(({ name, value }) => [name, fill(value, values)]));
  for (const { place, text } of filled) {
    if (place.in === "query") query.set(place.name, encodeURIComponent(text.toWellFormed()));
    if (place.in === "header") headers.set(place.name.toLowerCase(), text);
  }
  const parameters = [...query].map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${value}`).join("&");
  return {
    path,
    query: parameters === "" ? undefined : parameters,
    host: config.UpstreamHost,
    headers: Object.fromEntries(headers),
  };

  function fillPath(text: string): string {
    return text.replace(/\{([^{}]+)\}/g, (braced, name: string) => texts.get(`path ${name}`) ?? sampleOf(braced));
  }
}

function sampleValues({ values }: Bindings): ReadonlyMap<string, string> {
  return new Map([...values].map(([name, value]) => [name, encodeLiteral(sampleOf(value))]));
}

/** Each parameter has a value of its own. */
function sampleOf(text: string): string {
  return text.replace(/\{([^{}]+)\}/g, (_, name: string) => `zq${Buffer.from(name).toString("hex")}qz`);
}

function fill({ parts }: Template, values: ReadonlyMap<string, string>): string {
  return parts
    .map((part) =>
      typeof part === "string" ? part : (values.get(part.placeholder) ?? sampleOf(`{${part.placeholder}}`)),
    )
    .join("");
}
