import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { GatewayError, RequestError } from "../../errors.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { splitCookies } from "../../headers/cookies.ts";
import type { Identity } from "../../identity/identity.ts";
import type { UpgradeRequest } from "../websockets/upgrade-request.ts";
import { ignoreRejection } from "../../when-rejected.ts";
import { isNamedOrigin, readOrigins } from "../../urls/allowed-origins.ts";
import type { Authenticator } from "./authenticator.ts";

/** What a lock asks of a WebSocket besides an identity; a refusal, or nothing. */
type SocketLock = (exchange: MatchedExchange, who: Identity, scheme: Authenticator) => GatewayError | undefined;

/**
 * Prepares the lock of WebSockets. Browsers send cookies along whatever page opens one, so that its page must be known;
 * and the WebSocket ends with the token that opened it.
 */
export function createSocketLock(allowedOrigins: readonly string[] | undefined): SocketLock {
  const origins = allowedOrigins && readOrigins(allowedOrigins);
  return function lockSocket(exchange, who, scheme) {
    const { upgrade, context } = exchange;
    const { req } = context;
    if (upgrade === undefined) return undefined;
    if (isFromCookie(scheme, req)) {
      const { origin } = req.headers;
      const isFine = origin !== undefined && (origins ? isNamedOrigin(origin, origins) : isOwnOrigin(origin, req));
      if (!isFine) return originRefused();
    }
    const end = scheme.socketEnd === undefined ? endOfClaims(who) : requireSeconds(scheme.socketEnd(who));
    if (end !== undefined) endAt(exchange, upgrade, end * 1_000);
    return undefined;
  };
}

/** A request that leaves the gateway may become a WebSocket elsewhere, for which nobody has asked who the client is. */
function endAt(exchange: MatchedExchange, upgrade: UpgradeRequest, time: number): void {
  const { restore } = exchange;
  upgrade.endsAt = time;
  exchange.restore = function restoreAll() {
    delete upgrade.endsAt;
    restore();
  };
}

/** A WebSocket ends at the claim `exp`. */
function endOfClaims({ claims }: Identity): number | undefined {
  const { exp } = claims;
  return Object.hasOwn(claims, "exp") && typeof exp === "number" ? exp : undefined;
}

/** Without an end that can be told from the clock, a WebSocket would outlive its token. */
function requireSeconds(end: number | undefined): number | undefined {
  if (end === undefined || (typeof end === "number" && !Number.isNaN(end))) return end;
  ignoreRejection(end);
  throw new GatewayError(
    "handler-misuse",
    "The function socketEnd of an authenticator returned neither seconds since 1970 nor undefined. Return one of these, at once " +
      "and not in a promise.",
  );
}

function isFromCookie({ reads, isFromCookie: tell }: Authenticator, req: IncomingMessage): boolean {
  const { cookie } = req.headers;
  if (cookie === undefined) return false;
  if (tell !== undefined) {
    const told: unknown = tell(req);
    ignoreRejection(told);
    return told !== false;
  }
  // Of a scheme that does not tell which cookies it reads, any of them may hold a session.
  if (reads === undefined || reads.headers?.some((name) => name.toLowerCase() === "cookie") === true) return true;
  return splitCookies(cookie).some(({ name }) => reads.cookies?.includes(name) === true);
}

/** What a peer says of the client's scheme and host is still there only where it is trusted. */
function isOwnOrigin(origin: string, { headers, socket }: IncomingMessage): boolean {
  const usual = (socket as Partial<TLSSocket>).encrypted === true ? "https" : "http";
  const scheme = firstOf(headers["x-forwarded-proto"]) ?? usual;
  const own = `${scheme}://${firstOf(headers["x-forwarded-host"]) ?? headers.host ?? ""}`;
  return URL.canParse(own) && new URL(own).origin === origin.toLowerCase();
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header).split(",", 1)[0]!.trim();
}

function originRefused(): RequestError {
  return new RequestError(
    "origin-refused",
    "A WebSocket whose client is known by a cookie is opened from pages of AllowedOrigins, or of the gateway's own origin.",
  );
}
