import type { IncomingMessage } from "node:http";
import { RequestError } from "../../errors.ts";
import { type AllowedOrigins, isAllowedOrigin, readOrigins } from "../../urls/allowed-origins.ts";

/** Why a request for a WebSocket is refused before any app sees it. */
export function refuseBodyOfUpgrade({ headers }: Pick<IncomingMessage, "headers">): RequestError | undefined {
  if (headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0") return undefined;
  return new RequestError("upgrade-with-body", "A request for a WebSocket cannot have a body.");
}

/** What a route with WebSockets demands of a handshake. */
export type UpgradeRules = Readonly<{
  /** Which pages may open a WebSocket; undefined for all. */
  allowedOrigins: AllowedOrigins | undefined;
}>;

// 16 bytes as base64.
const wellFormedKey = /^[A-Za-z0-9+/]{22}==$/;

/** Why a matched request must not become a WebSocket; undefined when nothing speaks against it. */
export function judgeUpgrade({ method, headers }: IncomingMessage, rules: UpgradeRules): RequestError | undefined {
  if (method !== "GET" || !wellFormedKey.test(headers["sec-websocket-key"] ?? "")) {
    return new RequestError(
      "request-ill-formed",
      "A WebSocket is asked for by GET, with 16 bytes as base64 in Sec-WebSocket-Key.",
    );
  }
  // Browsers always send the origin of the page; a client that sends none is no browser, and could send any origin.
  const { origin } = headers;
  const { allowedOrigins } = rules;
  if (origin === undefined || allowedOrigins === undefined || isAllowedOrigin(origin, allowedOrigins)) return undefined;
  return new RequestError("origin-refused", "Pages of this origin may not open a WebSocket here.");
}

/** Prepares the comparison of origins. */
export function createUpgradeRules(allowedOrigins: readonly string[] | undefined): UpgradeRules {
  if (allowedOrigins === undefined) return { allowedOrigins };
  let rules = known.get(allowedOrigins);
  if (rules === undefined) known.set(allowedOrigins, (rules = { allowedOrigins: readOrigins(allowedOrigins) }));
  return rules;
}

/** By the list, which many routes may share. */
const known = new WeakMap<readonly string[], UpgradeRules>();
