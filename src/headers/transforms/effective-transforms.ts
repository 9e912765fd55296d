import type { GlobalConfig, RouteConfig } from "../../config/sections.ts";
import type { HeaderTransform } from "../../schema/key.ts";
import type { Direction } from "./change.ts";

type Transforms = Readonly<Record<string, HeaderTransform>>;

const keys = { request: "UpstreamHeaderTransform", answer: "DownstreamHeaderTransform" } as const;

/** What is done with headers for a route, by names in lower case: what the route says of a name, else what holds for all. */
export function effectiveTransforms(
  direction: Direction,
  own: Pick<RouteConfig, "UpstreamHeaderTransform" | "DownstreamHeaderTransform">,
  global: Pick<GlobalConfig, "UpstreamHeaderTransform" | "DownstreamHeaderTransform">,
): ReadonlyMap<string, HeaderTransform> {
  const layers: readonly (Transforms | undefined)[] = [global[keys[direction]], own[keys[direction]]];
  const entries = layers.flatMap((layer = {}) => Object.entries(layer));
  return new Map(entries.map(([name, transform]) => [name.toLowerCase(), transform]));
}
