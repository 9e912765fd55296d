import type { RouteConfig } from "../../config/sections.ts";
import { isWebSocketScheme } from "../../urls/schemes.ts";

/** Whether WebSockets pass on a route. */
export function hasWebSockets({
  AllowUpgrade,
  DownstreamScheme,
}: Partial<Pick<RouteConfig, "AllowUpgrade" | "DownstreamScheme">>): boolean {
  return AllowUpgrade ?? isWebSocketScheme(DownstreamScheme);
}
