import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { emptyHeaders } from "./headers-without-prototype.ts";
import type { Headers } from "../delegating-handler.ts";
import { dropAliases, type HeaderSources, isOddlySpelt, usualHeaders } from "./header-aliases.ts";
import { hopByHopHeaders } from "./hop-by-hop.ts";
import { isGiven } from "./is-given.ts";
import { ownValue } from "./own-value.ts";

/** What is known of the way to the gateway. */
type HeaderSettings = HeaderSources & Readonly<{ mountPath: string; via: boolean }>;

/** What is sent upstream: what stands in `req.headers` when the middleware is done, and who asked for it. */
export function createOutgoingHeaders(req: IncomingMessage, settings: HeaderSettings): Headers {
  const headers = emptyHeaders();
  const { mountPath, via } = settings;
  const incoming = req.headers;
  let hasOdd = false;
  for (const key in incoming) {
    const given = incoming[key]!;
    if (!isGiven(given)) continue;
    // Middleware may have given one list to the requests of several clients.
    const value = typeof given === "string" ? given : ownValue(given);
    if (usualHeaders.has(key)) {
      headers[key] = value;
      continue;
    }
    // Middleware may have set one in capitals: it replaces the client's, and is filtered like it.
    const name = key.toLowerCase();
    if (hopByHopHeaders.has(name)) continue;
    headers[name] = value;
    hasOdd ||= isOddlySpelt(name);
  }
  const peer = req.socket.remoteAddress ?? "";
  headers["x-forwarded-for"] = append(headers["x-forwarded-for"], peer, ", ");
  headers["x-forwarded-proto"] ??= (req.socket as Partial<TLSSocket>).encrypted === true ? "https" : "http";
  if (incoming.host !== undefined) headers["x-forwarded-host"] ??= incoming.host;
  if (mountPath !== "") headers["x-forwarded-prefix"] = appendPath(headers["x-forwarded-prefix"], plainPath(mountPath));
  if (via) headers.via = append(headers.via, `${req.httpVersion} waymark`, ", ");
  if (hasOdd) dropAliases(headers, settings);
  return headers;
}

/** A path that no browser takes for a host where a link begins with it: a backslash is a slash to them. */
function plainPath(path: string): string {
  return path.replaceAll("\\", "%5C").replace(/^\/{2,}/, "/");
}

function appendPath(present: string | string[] | undefined, path: string): string {
  return append(present === undefined ? present : String(present).replace(/\/+$/, ""), path, "");
}

function append(present: string | string[] | undefined, value: string, separator: string): string {
  if (present === undefined || present === "") return value;
  return `${String(present)}${separator}${value}`;
}
