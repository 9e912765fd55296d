import type { Telling } from "../capabilities/telling.ts";
import { type GlobalConfig, type RouteConfig, routeSection } from "../config/sections.ts";
import type { Key } from "../schema/key.ts";
import { maskMetadata } from "../secrets/mask-metadata.ts";
import { secretMask } from "../secrets/secret-names.ts";
import { tlsOf } from "../compiling/effective-tls.ts";

type RouteKey = keyof RouteConfig;

// What an explanation shows in another way: how the route is found, where it leads, who may come in, what becomes of headers.
const shownElsewhere: ReadonlySet<RouteKey> = new Set<RouteKey>([
  ...(["Key", "UpstreamPathTemplate", "UpstreamHttpMethod", "UpstreamHost", "UpstreamHeaderTemplates"] as const),
  ...(["RouteIsCaseSensitive", "Priority", "DownstreamPathTemplate", "DownstreamScheme"] as const),
  ...(["DownstreamHostAndPorts", "DownstreamHttpMethod", "RequestIdKey", "Metadata", "Extensions"] as const),
  ...(["AuthenticationOptions", "RouteClaimsRequirement", "SecurityOptions"] as const),
  ...(["UpstreamHeaderTransform", "DownstreamHeaderTransform"] as const),
]);

/** Makes tellings of the keys that no other one tells about: they say what is written, but for secrets. */
export function tellWritten(told: readonly Telling[]): readonly Telling[] {
  const known = new Set([...shownElsewhere, ...told.flatMap(({ keys }) => keys)]);
  const left = Object.keys(routeSection.keys).filter((name) => !known.has(name as RouteKey)) as RouteKey[];
  return left.map((name) => ({
    name,
    title: name,
    keys: [name],
    tell(route, global) {
      const value = writtenFor(name, route, global);
      return value === undefined ? undefined : [describeWritten(name, value, routeSection.keys[name])];
    },
  }));
}

type Written = (route: RouteConfig, global: GlobalConfig) => unknown;

// Of what no telling names, what does not stand in the place of the same for all routes.
const laidOver: Readonly<Partial<Record<RouteKey, Written>>> = {
  Limits: ({ Limits: own }, { Limits: shared }) => (own ?? shared) && { ...shared, ...own },
  Tls: tlsOf,
};

/** What a route writes, else what is written for all. */
function writtenFor(name: RouteKey, route: RouteConfig, global: GlobalConfig): unknown {
  const lay = laidOver[name];
  return lay === undefined ? (route[name] ?? (global as Partial<RouteConfig>)[name]) : lay(route, global);
}

function describeWritten(name: string, value: unknown, key: Key | undefined): string {
  if (key?.isSecret !== undefined) return secretMask;
  if (Array.isArray(value)) return value.map((item) => describeWritten(name, item, key)).join(", ");
  // What a key of the format holds is told by its description, whatever its name looks like.
  if (typeof value !== "object" || value === null)
    return String(maskMetadata(key === undefined ? name : "", String(value), []));
  const keys = key !== undefined && "section" in key ? key.section.keys : {};
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.map(([member, item]) => `${member} ${describeWritten(member, item, keys[member])}`).join(", ");
}
