import type { LimitsConfig } from "../../config/sections.ts";
import type { GatewayLimits } from "../../options/options.ts";

/** The limits of one route, in the units in which they are used: bytes, characters, counts, milliseconds. */
export type RouteLimits = Readonly<{
  body: number | undefined;
  url: number;
  header: number | undefined;
  concurrent: number | undefined;
  connect: number;
  upload: number;
  sockets: number | undefined;
  idle: number | undefined;
}>;

const defaultUrlLength = 8_192;
const defaultConnectSeconds = 5;
const defaultUploadSeconds = 60;
const longestTimer = 2_147_483_647;

/** A route's own limits over those of all routes, over those of the options, over the defaults. */
export function compileLimits(
  route: LimitsConfig = {},
  global: LimitsConfig = {},
  options: GatewayLimits = {},
): RouteLimits {
  const idle = route.Idle ?? global.Idle ?? options.idle;
  return {
    body: route.Body ?? global.Body ?? options.body,
    url: route.Url ?? global.Url ?? options.url ?? defaultUrlLength,
    header: route.Header ?? global.Header ?? options.header,
    concurrent: route.Concurrent,
    connect: toMilliseconds(route.Connect ?? global.Connect ?? options.connect ?? defaultConnectSeconds),
    upload: toMilliseconds(route.Upload ?? global.Upload ?? options.upload ?? defaultUploadSeconds),
    sockets: route.Sockets ?? global.Sockets ?? options.sockets,
    idle: idle === undefined ? undefined : toMilliseconds(idle),
  };
}

/** Seconds as a timer takes them: one that is set for longer than it can count fires at once. */
export function toMilliseconds(seconds: number): number {
  return Math.min(seconds * 1_000, longestTimer);
}
