import type { RouteConfig } from "../../config/sections.ts";
import type { Headers, UpstreamResponse } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { splitCookies } from "../../headers/cookies.ts";
import type { RoutePart } from "../capability.ts";
import type { Authenticator } from "./authenticator.ts";
import { bearerWord, readBearerProtocol } from "./bearer-protocol.ts";
import { type CredentialPlaces, joinPlaces } from "./credential-places.ts";
import { createWithholdFromTarget } from "./withhold-from-target.ts";

/** What keeps credentials from travelling on, by whether a route is locked. */
export type Withholding = Readonly<{
  onOpenRoute: (config: RouteConfig) => RoutePart;
  onLockedRoute: (config: RouteConfig) => RoutePart;
}>;

/**
 * Keys, and tokens in cookies, queries and subprotocols, never travel. What a scheme forwards travels from open routes,
 * where nobody has looked at it, and from locked ones where it was verified.
 */
export function createWithholding(schemes: Readonly<Record<string, Authenticator>>): Withholding | undefined {
  const all = Object.values(schemes);
  if (all.length === 0) return undefined;
  const places = joinPlaces(all.map(({ reads = {} }) => reads));
  const { headers = [] } = places;
  const kept = joinPlaces(all.flatMap(({ reads = {}, forwards }) => (forwards === true ? [] : [reads]))).headers ?? [];
  const dropOthers = createDropOthers(places);
  const changeAnswer = places.subprotocol === true ? { changeAnswer: answerBearer } : {};
  const onOpenRoutes: RoutePart = {
    ...changeAnswer,
    changeRequest(outgoing) {
      for (const name of kept) Reflect.deleteProperty(outgoing.headers, name);
      dropOthers(outgoing.headers);
    },
  };
  const onLockedRoutes: RoutePart = {
    ...changeAnswer,
    changeRequest(outgoing, { identity }) {
      const token = identity !== undefined && schemes[identity.scheme]?.forwards === true ? identity.token : undefined;
      for (const name of headers) {
        if (!isCredential(outgoing.headers[name], token)) Reflect.deleteProperty(outgoing.headers, name);
      }
      dropOthers(outgoing.headers);
    },
  };
  return {
    onOpenRoute: (config) => withTarget(onOpenRoutes, config, places),
    onLockedRoute: (config) => withTarget(onLockedRoutes, config, places),
  };
}

/** Most routes have nothing in their target that schemes read, and share one part. */
function withTarget(part: RoutePart, config: RouteConfig, places: CredentialPlaces): RoutePart {
  const changeTarget = createWithholdFromTarget(config, places);
  return changeTarget === undefined ? part : { ...part, changeTarget };
}

/** Whether a header holds the credential by which the client was recognised, and that may travel. */
function isCredential(value: unknown, token = ""): boolean {
  return token !== "" && typeof value === "string" && value.endsWith(token);
}

/** Drops what schemes read in cookies and among the protocols of WebSockets. */
function createDropOthers({ cookies = [], subprotocol = false }: CredentialPlaces): (headers: Headers) => void {
  const names = new Set(cookies);
  return function dropOthers(headers) {
    if (names.size > 0 && headers.cookie !== undefined) dropCookies(headers, names);
    if (subprotocol && headers[protocolHeader] !== undefined) dropProtocol(headers);
  };
}

function dropCookies(headers: Headers, names: ReadonlySet<string>): void {
  const kept = splitCookies(String(headers.cookie)).filter(({ name }) => !names.has(name));
  if (kept.length === 0) delete headers.cookie;
  else
    headers.cookie = kept
      .map(({ raw }) => raw)
      .join(";")
      .trim();
}

const protocolHeader = "sec-websocket-protocol";

function dropProtocol(headers: Headers): void {
  const { others } = readBearerProtocol(headers[protocolHeader]);
  if (others.length === 0) Reflect.deleteProperty(headers, protocolHeader);
  else headers[protocolHeader] = others.join(", ");
}

/** Browsers fail a WebSocket for which they offered protocols, and were answered none of them. */
function answerBearer({ status, headers }: UpstreamResponse, { upgrade, context }: MatchedExchange): void {
  if (upgrade === undefined || status !== 101 || headers[protocolHeader] !== undefined) return;
  const { tokens } = readBearerProtocol(context.req.headers[protocolHeader]);
  if (tokens.length > 0) headers[protocolHeader] = bearerWord;
}
