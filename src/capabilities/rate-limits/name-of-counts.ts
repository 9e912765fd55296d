import { hash } from "node:crypto";
import type { RouteConfig } from "../../config/sections.ts";
import { nameOfRoute } from "../../route-name.ts";
import type { RateLimit } from "./effective-limit.ts";
import { fillQuotaText } from "./quota-text.ts";
import type { Quota } from "../../stores/store.ts";

/** What one limit allows, and what is answered beyond it. */
export type Limit = Readonly<{
  route: string;
  /** Whose counts these are. */
  group: string;
  quota: Quota;
  text: string;
  status: number;
  showsHeaders: boolean;
  /** Whether answers to requests that pass tell this limit. */
  showsPasses: boolean;
}>;

/** The limit of a route by what its clients are counted by. */
export function mainLimit(rate: RateLimit, config: RouteConfig): Limit {
  const { by, header, limit, text, status, showsHeaders, periodText } = rate;
  const group = `${groupOf(rate, config)} by ${by}${by === "Header" ? ` ${header.toLowerCase()}` : ""}`;
  const filled = fillQuotaText(text, limit, periodText);
  const quota = { limit, period: rate.period, wait: rate.wait };
  return { route: storedName(rate, config), group, quota, text: filled, status, showsHeaders, showsPasses: true };
}

/** The second limit of a route, by address. */
export function addressLimit(rate: RateLimit, config: RouteConfig): Limit {
  const limit = rate.addressLimit!;
  const quota = { limit, period: rate.period, wait: rate.wait };
  const filled = fillQuotaText(rate.text, limit, rate.periodText);
  const group = `${groupOf(rate, config)} address ${limit}`;
  return { ...mainLimit(rate, config), group, quota, text: filled, showsPasses: false };
}

/** What a store calls a route. */
function storedName({ prefix }: RateLimit, config: RouteConfig): string {
  const name = config.Key === undefined ? hash("sha256", nameOfRoute(config), "base64url") : nameOfRoute(config);
  return `${prefix}:rate:${name}`;
}

/** What a store calls the counts of a route; under another limit they are others. */
function groupOf(rate: RateLimit, config: RouteConfig): string {
  return `${storedName(rate, config)}:${rate.limit}/${rate.period}/${rate.wait}`;
}
