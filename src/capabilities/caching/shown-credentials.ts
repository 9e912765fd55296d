import { hash } from "node:crypto";
import type { TLSSocket } from "node:tls";
import { rememberPerText } from "../../remember-per-text.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { plainName } from "../../headers/header-aliases.ts";
import { onlyLineOf } from "../../headers/header-sent-once.ts";
import { isTakenForIdentity } from "../../headers/headers-services-go-by.ts";
import {
  credentialNamesOf,
  type CredentialNames,
  isCredentialParameter,
} from "../../secrets/credentials-of-schemes.ts";
import { headerOfCredential } from "../../identity/identity.ts";
import { isSameCredential } from "../../identity/same-identity.ts";
import { isSecretHeader } from "../../secrets/secret-names.ts";
import type { PassingReason } from "./bypass-reason.ts";
import { identityOfOtherPart, namesTakenOut } from "./shown-to-code.ts";

/** A request shows who is asking, and answers are not told apart by that. */
export const credentialsShown: PassingReason = { fwd: "bypass", detail: "credentials" };

/** What a request shows of who is asking. */
export type Credentials = Readonly<{
  /** The names, in lower case, of the client's headers that may tell. */
  headers: readonly string[];
  /** Whether something tells that no header stands for: a certificate. */
  hasCertificate: boolean;
  identity: unknown;
}>;

// Most requests have hardly any others, and these are no credentials, whatever a scheme is made to read.
const harmless: ReadonlySet<string> = new Set([
  ...["accept", "accept-encoding", "accept-language", "cache-control", "connection", "content-length", "content-type"],
  ...[
    "dnt",
    "host",
    "if-modified-since",
    "if-none-match",
    "origin",
    "pragma",
    "priority",
    "referer",
    "te",
    "user-agent",
  ],
  ...["sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform", "sec-fetch-dest", "sec-fetch-mode", "sec-fetch-site"],
  ...["sec-fetch-user", "upgrade-insecure-requests", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"],
  ...["traceparent", "tracestate"],
]);

/** What a request shows of who is asking, to the service or to code; undefined where it shows nothing. */
export function findCredentials(exchange: MatchedExchange, hasCodeBehind: boolean): Credentials | undefined {
  const { given, context } = exchange;
  const isCredential = createIsCredential(credentialNamesOf(context.route.config));
  let headers: string[] | undefined;
  for (const name in given) if (!harmless.has(name) && isCredential(name)) (headers ??= []).push(name);
  if (hasCodeBehind) for (const name of namesTakenOut(exchange)) if (isCredential(name)) (headers ??= []).push(name);
  const hasCertificate = showsCertificate(context.req.socket as Partial<TLSSocket>);
  const shown = (hasCodeBehind ? identityOfOtherPart(exchange) : undefined) ?? identityIn(exchange);
  if (headers === undefined && !hasCertificate && shown === undefined) return undefined;
  return { headers: headers ?? [], hasCertificate, identity: shown };
}

const known = new WeakMap<CredentialNames, (name: string) => boolean>();

/** The same names of headers come again and again, and looking at one takes as long as all the rest. */
function createIsCredential(names: CredentialNames): (name: string) => boolean {
  let isCredential = known.get(names);
  if (isCredential === undefined) {
    isCredential = rememberPerText((name) => isSecretHeader(name, names) || isTakenForIdentity(plainName(name)));
    known.set(names, isCredential);
  }
  return isCredential;
}

/** What code of the app has set counts, unless it tells of nobody else than a scheme has recognised. */
function identityIn({ identity, context: { res } }: MatchedExchange): unknown {
  const set = (res as Partial<LocalsOwner>).locals?.identity;
  return isSameCredential(set ?? identity, identity) ? (identity ?? set) : set;
}

type LocalsOwner = { locals: Readonly<{ identity?: unknown }> };

const certificates = new WeakMap<object, boolean>();

/** A certificate that a connection has shown stays; before TLS 1.3 one may be shown later, too. */
function showsCertificate(socket: Partial<TLSSocket>): boolean {
  if (socket.encrypted !== true) return false;
  const known = certificates.get(socket);
  if (known !== undefined) return known;
  const isShown = socket.getPeerX509Certificate?.() !== undefined;
  if (isShown || socket.getProtocol?.() === "TLSv1.3") certificates.set(socket, isShown);
  return isShown;
}

/**
 * Whether answers that are told apart by the values of some headers are told apart by who is asking: all that a request
 * shows of that stands in them, and an identity is known to come from the only one that it shows.
 */
export function areCovered(
  { headers, hasCertificate, identity }: Credentials,
  covered: readonly string[],
  exchange: MatchedExchange,
): boolean {
  if (hasCertificate || !headers.every((name) => covered.includes(name))) return false;
  return identity === undefined || comesFrom(headers, identity, exchange);
}

function comesFrom(headers: readonly string[], identity: unknown, exchange: MatchedExchange): boolean {
  const { identity: recognised, given, context, matched } = exchange;
  const [name, ...others] = headers;
  if (name === undefined || others.length > 0 || recognised === undefined || identity !== recognised) return false;
  const { req, route } = context;
  const names = credentialNamesOf(route.config);
  if ((matched.query ?? "").split(/[&;]/).some((pair) => isCredentialParameter(nameOf(pair), names))) return false;
  const value = onlyLineOf({ headers: given, rawHeaders: req.rawHeaders }, name);
  if (value === undefined) return false;
  const { token } = recognised;
  if (token === undefined) return headerOfCredential(recognised) === name;
  return value === token || value.endsWith(` ${token}`);
}

function nameOf(pair: string): string {
  return pair.replace(/^\?/, "").split("=", 1)[0]!;
}

/**
 * What tells who is asking: scheme, id, the credential that was verified, and all others that a request shows, as the
 * service may go by these. Undefined where no scheme has recognised anybody with an id, or no header stands for something.
 */
export function identityParts(exchange: MatchedExchange, hasCodeBehind: boolean): readonly string[] | undefined {
  const { identity, given, context } = exchange;
  if (identity === undefined || identity.id === "") return undefined;
  // Somebody in the app takes the client for somebody else.
  if ((context.res as Partial<LocalsOwner>).locals?.identity !== identity) return undefined;
  const { headers, hasCertificate, identity: anybody } = findCredentials(exchange, hasCodeBehind)!;
  if (hasCertificate || anybody !== identity) return undefined;
  const { scheme, id, token = "" } = identity;
  const shown = headers.toSorted().map((name) => [name, given[name]]);
  return [scheme, id, hash("sha256", JSON.stringify([token, ...shown]), "base64url")];
}
