import { hash } from "node:crypto";
import type { RouteConfig } from "../../config/sections.ts";
import { groupOfAll } from "../../stores/answer-store.ts";
import { nameOfRoute } from "../../route-name.ts";
import type { CacheSettings } from "./effective-cache.ts";

const prefix = "waymark:cache:purged";

/** The group of the answers of a region. */
export function groupOfRegion(region: string): string {
  return `${prefix}:region:${region}`;
}

/** The group of the answers of a route. */
export function groupOfRoute(config: RouteConfig): string {
  return `${prefix}:route:${hash("sha256", nameOfRoute(config), "base64url")}`;
}

/** The groups to which the answers of a route belong. */
export function groupsOf(config: RouteConfig, { region }: Pick<CacheSettings, "region">): readonly string[] {
  const ofRegion = region === undefined ? [] : [groupOfRegion(region)];
  return [groupOfAll, groupOfRoute(config), ...ofRegion];
}
