import { defaultPortOf } from "../urls/schemes.ts";
import type { ConnectionTarget } from "./connect-in-time.ts";

/** Where a connection to an origin goes. */
export function readOrigin(origin: string): ConnectionTarget {
  const { protocol, hostname, port } = new URL(origin);
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (defaultPortOf(protocol.slice(0, -1)) ?? 0) : Number(port),
    secure: protocol === "https:",
  };
}
