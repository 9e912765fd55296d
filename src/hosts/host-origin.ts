import type { Instance } from "./host.ts";
import { defaultPortOf, httpSchemeOf } from "../urls/schemes.ts";

/** Scheme, host and port as one text; WebSocket schemes as the HTTP scheme they travel over, default ports left out. */
export function formatOrigin(scheme: string, host: string, port: number | undefined): string {
  const plain = httpSchemeOf(scheme);
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return port === undefined || port === defaultPortOf(plain) ? `${plain}://${name}` : `${plain}://${name}:${port}`;
}

/** Whether a host can stand in an origin: a URL has no zone of IPv6, and takes a name with a number at its end for an address. */
export function canStandInOrigin(host: string): boolean {
  return URL.canParse(formatOrigin("http", host, undefined));
}

/** The host of an origin, with its port: what `Host` says to it. */
export function hostOf(origin: string): string {
  return origin.slice(origin.indexOf("://") + "://".length);
}

/** Where a host is asked. */
export function originOf({ scheme = "http", host, port }: Instance): string {
  return formatOrigin(scheme, host, port);
}
