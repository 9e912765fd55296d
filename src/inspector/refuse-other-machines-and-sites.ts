import type { IncomingMessage } from "node:http";
import { BlockList, isIPv6 } from "node:net";
import type { MountedRequest } from "../pages/redirect-to-folder.ts";
import { findHeaderOfProxy } from "./headers-that-show-a-proxy.ts";

/** Which visitors may look, besides those at this machine. */
export type InspectorAccess = Readonly<{
  /** Whether the peer may be another machine. */
  allowRemote: boolean;
  /** Names in the `Host` header besides localhost, 127.0.0.1 and [::1]; in lower case, without port. */
  hosts: ReadonlySet<string>;
}>;

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

const localHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);
const hostAndPort = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::\d{1,5})?$/i;

/** Why a request may not look into the gateway; undefined when nothing speaks against it. */
export function findIntruder(req: IncomingMessage, { allowRemote, hosts }: InspectorAccess): string | undefined {
  if (!allowRemote && !isLoopback(req.socket.remoteAddress)) {
    return "The inspector answers this machine only. To open it to others, see its option allowRemote.";
  }
  const host = onlyHost(req);
  if (host === undefined || !(localHosts.has(host) || hosts.has(host))) {
    return "The inspector is asked for as localhost, 127.0.0.1 or [::1] only. For other names, see its option hosts.";
  }
  const forwarded = findHeaderOfProxy(req);
  if (forwarded === undefined) return undefined;
  return `The request came through a proxy (${forwarded}): the inspector answers no such request.`;
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && loopback.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** The host of the only `Host` header, without port; undefined where the request line names a host itself. */
function onlyHost({ rawHeaders, url = "", originalUrl = url }: MountedRequest): string | undefined {
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === "host");
  if (values.length !== 1 || !originalUrl.startsWith("/")) return undefined;
  return hostAndPort.exec(values[0]!)?.[1]?.toLowerCase();
}

/** Why a request may not do more than look: it does not come from the page itself. */
export function findForger(req: IncomingMessage, isToken: (given: string) => boolean): string | undefined {
  const { origin, host = "", "sec-fetch-site": site, "x-waymark-token": token } = req.headers;
  if (site !== "same-origin") return "Only the inspector's own page may ask for this (Sec-Fetch-Site: same-origin).";
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
    return "Only the inspector's own page may ask for this (Origin).";
  }
  if (typeof token === "string" && isToken(token)) return undefined;
  return "The token of the page is missing, or of an earlier start: load the page again.";
}

/** Why the page itself is not answered: a script asks for it, which may be that of a service's page at the same origin. */
export function findScript({ headers }: IncomingMessage): string | undefined {
  const { "sec-fetch-dest": destination = "document" } = headers;
  return destination === "document" ? undefined : "The inspector's page is opened, and not fetched (Sec-Fetch-Dest).";
}

/** Why a page of another site may not read this; browsers say where a request comes from. */
export function findStranger({ headers }: IncomingMessage): string | undefined {
  const { "sec-fetch-site": site = "none" } = headers;
  if (site === "none" || site === "same-origin") return undefined;
  return "Only the inspector's own page may ask for this (Sec-Fetch-Site).";
}
