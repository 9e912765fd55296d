import { randomBytes } from "node:crypto";
import type { GlobalConfig, RouteConfig } from "../../config/sections.ts";
import { effectiveSection } from "../../schema/effective-section.ts";

/** How the clients of a route stay at their hosts. */
export type Stickiness = Readonly<{
  /** The name of the cookie. */
  name: string;
  /** By which hosts are marked. */
  key: string;
  /** Seconds that a client may stay without a request; undefined for as long as its browser runs. */
  lifetime: number | undefined;
}>;

/** The variable by which a program tells its workers the key that all of them have. */
export const keyVariable = "WAYMARK_STICKY_KEY";

/** The key of a configuration that names none. */
export const keyOfProcess = process.env[keyVariable] ?? randomBytes(32).toString("base64");

const usualKey = ".AspNetCore.Session";

/** How the clients of a route stay at their hosts; undefined where they do not. */
export function stickinessOf(
  { Key, LoadBalancerOptions: own }: RouteConfig,
  { LoadBalancerOptions: shared, StickyKey }: GlobalConfig,
): Stickiness | undefined {
  const options = effectiveSection(own, shared, Key);
  if (options?.Type !== "CookieStickySessions") return undefined;
  const { Key: session = usualKey, Expiry: expiry = 0 } = options;
  return {
    name: nameOfCookie(session),
    key: StickyKey ?? keyOfProcess,
    lifetime: expiry > 0 ? Math.ceil(expiry / 1_000) : undefined,
  };
}

/** The cookie beside that of the session; only the downstream knows what that one means. */
function nameOfCookie(session: string): string {
  return `${session}.host`;
}
