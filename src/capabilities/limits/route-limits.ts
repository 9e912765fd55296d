import { toMilliseconds } from "../../timer-milliseconds.ts";
import type { LimitsConfig } from "./limit-keys.ts";

/** Bytes, counts and seconds; a route's `Limits` go over `GlobalConfiguration.Limits`, and those over these. */
export type GatewayLimits = Readonly<{
  /** Bytes of a request's body; no limit by default. */
  body?: number;
  /** Characters of a request's URL; 8192 by default. */
  url?: number;
  /** Bytes of a request's header fields; by default what the server takes. */
  header?: number;
  /** Requests at the same time; no limit by default. */
  concurrent?: number;
  /** Seconds until a connection to the upstream stands; 5 by default. */
  connect?: number;
  /** Seconds that an upload may stand still; 60 by default. */
  upload?: number;
  /** Seconds that a client may take nothing of an answer that waits for it; no limit by default. */
  download?: number;
  /** Open WebSockets of one route; no limit by default. */
  sockets?: number;
  /** Seconds that a WebSocket may be silent both ways; no limit by default. */
  idle?: number;
}>;

/** The limits of one route, in the units in which they are used: bytes, characters, counts, milliseconds. */
export type RouteLimits = Readonly<{
  body: number | undefined;
  url: number;
  header: number | undefined;
  concurrent: number | undefined;
  connect: number;
  upload: number;
  download: number | undefined;
  sockets: number | undefined;
  idle: number | undefined;
}>;

/**
 * How much of a route's limits is used: requests under way, those of them that go on without a client, and WebSockets open
 * or asked for.
 */
export type RouteLoad = { running: number; clientless: number; sockets: number };

const defaultUrlLength = 8_192;
const defaultConnectSeconds = 5;
const defaultUploadSeconds = 60;

/** A route's own limits over those of all routes, over those of the options, over the defaults. */
export function compileLimits(
  route: LimitsConfig = {},
  global: LimitsConfig = {},
  options: GatewayLimits = {},
): RouteLimits {
  return {
    body: route.Body ?? global.Body ?? options.body,
    url: route.Url ?? global.Url ?? options.url ?? defaultUrlLength,
    header: route.Header ?? global.Header ?? options.header,
    concurrent: route.Concurrent,
    connect: toMilliseconds(route.Connect ?? global.Connect ?? options.connect ?? defaultConnectSeconds),
    upload: toMilliseconds(route.Upload ?? global.Upload ?? options.upload ?? defaultUploadSeconds),
    sockets: route.Sockets ?? global.Sockets ?? options.sockets,
    download: optional(route.Download ?? global.Download ?? options.download),
    idle: optional(route.Idle ?? global.Idle ?? options.idle),
  };
}

function optional(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : toMilliseconds(seconds);
}
