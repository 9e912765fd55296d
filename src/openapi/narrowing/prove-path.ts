import type { RouteConfig } from "../../config/sections.ts";
import type { MatchTarget, RouteIndex } from "../../routing/index/route-index.ts";
import { encodeLiteral, type Template } from "../../templates/template.ts";
import type { UpstreamTemplate } from "../../templates/upstream-template.ts";
import { normalisePath } from "../../urls/normalise-path.ts";
import { findPathFault } from "../../urls/path-faults.ts";
import type { ClientPath } from "./client-path.ts";
import type { Bindings } from "./match-template.ts";
import { type PathSegment, textOf } from "./path-segments.ts";

/** A route, and how it is found. */
export type FindableRoute<R> = Readonly<{ value: R; template: UpstreamTemplate; config: RouteConfig }>;

/** A path that a route should take. */
type SupposedPath<R> = Readonly<{
  /** The path of the document. */
  segments: readonly PathSegment[];
  route: FindableRoute<R>;
  client: ClientPath;
  bindings: Bindings;
}>;

/**
 * Whether the route really gets what clients ask for there, by each of some methods: the gateway's own index is asked, with
 * values that nobody would write. Another route may stand before it. What the gateway refuses, from clients or to a service,
 * is nowhere: a browser would make another path of it, and ask for that.
 */
export function provenMethods<R>(
  { segments, route, client, bindings }: SupposedPath<R>,
  methods: readonly string[],
  index: Pick<RouteIndex<R>, "find">,
): readonly string[] {
  const { template, config } = route;
  const values = new Map([...bindings.values].map(([name, value]) => [name, encodeLiteral(sampleOf(value))]));
  const path = encodeLiteral(sampleOf(client.path));
  const servicePath = encodeLiteral(sampleOf(`/${segments.map(textOf).join("/")}`));
  if (findPathFault(path) !== undefined || findPathFault(servicePath) !== undefined) return [];
  const query = template.query.map(({ name, value }) => `${encodeURIComponent(name)}=${fill(value, values)}`).join("&");
  const headers = Object.fromEntries(template.headers.map(({ name, value }) => [name, fill(value, values)]));
  const target = { path, query: query === "" ? undefined : query, host: config.UpstreamHost, headers };
  return methods.filter((method) => isFound(method, target));

  function isFound(method: string, sample: Omit<MatchTarget, "method">): boolean {
    const found = index.find({ ...sample, method: method.toUpperCase() });
    if (found?.value !== route.value) return false;
    return [...template.origins].every(([name, origin]) => {
      const value = values.get(name);
      return origin !== "path" || value === undefined || found.placeholders[name] === normalisePath(value);
    });
  }
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
