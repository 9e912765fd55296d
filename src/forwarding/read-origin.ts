import type { ConnectionTarget } from "./connect.ts";

const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Where a connection to an origin goes. */
export function readOrigin(origin: string): ConnectionTarget {
  const { protocol, hostname, port } = new URL(origin);
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (defaultPorts[protocol] ?? 0) : Number(port),
    secure: protocol === "https:",
  };
}
