import { replaceControls } from "../logging/escape-controls.ts";
import { type AssignedValues, shownPlaceholderText } from "../templates/placeholder-text.ts";
import type { TemplatePart } from "../templates/template.ts";
import { alignTemplate } from "./align-template.ts";
import { credentialNamesOf } from "./credentials-of-schemes.ts";
import { findClaims } from "./find-claims.ts";
import { findInPath } from "./find-in-path.ts";
import { findInQuery } from "./find-in-query.ts";
import { findValues, type Search } from "./find-secret-values.ts";
import { type RedactingRoute, type RouteSecrets, routeSecretsOf } from "./route-secrets.ts";
import { looksSecretValue } from "./secret-names.ts";
import { maskSpans, type Span } from "./spans.ts";
import { findUserInfo } from "./user-info.ts";
import { variableSecretsOf } from "./variable-secrets.ts";

/** The values of one request: as captured at the match, and as they stand after the user's middleware. */
export type RequestValues = Readonly<{ captured: AssignedValues; current: AssignedValues }>;

type Filled = Readonly<{ parts: readonly TemplatePart[]; values: AssignedValues }>;

/** A path with query, or a template, as it may be shown: secrets are masked, control characters escaped. */
export function redactUrl(url: string, route: RedactingRoute): string {
  const secrets = routeSecretsOf(route);
  return mask(url, [...findByNames(url, secrets), ...findValues(url, secrets.variables, withShortOnes)]);
}

/** The URL of a request that no route of a configuration takes, as it may be shown. */
export function redactUnmatched(url: string, config: object | undefined): string {
  const secrets = { ...routeSecretsOf(noRoute), credentials: credentialNamesOf(config) };
  return mask(url, [...findByNames(url, secrets), ...findValues(url, variableSecretsOf(config), withShortOnes)]);
}

const noRoute: RedactingRoute = { UpstreamPathTemplate: "/", DownstreamPathTemplate: "/" };

/** The URL that a client asked for, as it may be shown. */
export function redactAsked(url: string, route: RedactingRoute, values: RequestValues): string {
  const secrets = routeSecretsOf(route);
  return redactFilled(url, secrets, values, { parts: secrets.asked, values: values.captured });
}

/** The URL that was sent upstream, as it may be shown: middleware and handlers may have changed it. */
export function redactSent(url: string, route: RedactingRoute, values: RequestValues): string {
  const secrets = routeSecretsOf(route);
  const filled = { parts: secrets.sent, values: values.current };
  const shown = secrets.claims.length === 0 ? url : maskSpans(url, claimsIn(url, secrets, filled));
  return redactFilled(shown, secrets, values, filled);
}

/** The path below which a gateway is mounted, as it may be shown: its parameters are secret by their names, too. */
export function redactMountPath(
  path: string,
  params: Readonly<Record<string, unknown>>,
  route: RedactingRoute,
): string {
  const secrets = routeSecretsOf(route);
  const named = Object.entries(params).filter(([name]) => looksSecretValue(name, secrets.credentials));
  const values = named.flatMap(([, value]) => value).filter((value) => typeof value === "string");
  return mask(path, [
    ...findByNames(path, secrets),
    ...findValues(path, values, withShortOnes),
    ...findValues(path, secrets.variables, withShortOnes),
  ]);
}

/** A text that may quote a request, as it may be shown. */
export function redactText(text: string, route: RedactingRoute, values: RequestValues): string {
  const secrets = routeSecretsOf(route);
  return maskSpans(text, [
    ...findValues(text, secretValuesOf(secrets, values), withShortOnes),
    ...findValues(text, secrets.variables, withShortOnes),
  ]);
}

/** A text in which some values are secret wherever they stand, and however they are escaped there. */
export function maskValues(text: string, values: readonly string[]): string {
  return values.length === 0 ? text : maskSpans(text, findValues(text, values, withShortOnes));
}

const withShortOnes: Search = { wholePieces: true };
const withoutShortOnes: Search = { wholePieces: false };

/**
 * Where the path is the template with its values, it is known what stands where: a value is masked in its place,
 * whatever its length, and only the other values that a client chose are searched for. Where middleware has made
 * another path, all of it is searched.
 */
function redactFilled(url: string, secrets: RouteSecrets, values: RequestValues, filled: Filled): string {
  const { placeholders, variables } = secrets;
  const spans = findByNames(url, secrets);
  if (variables.length > 0) spans.push(...findValues(url, variables, withShortOnes));
  if (placeholders.length === 0) return mask(url, spans);
  const [start, end] = [pathStartOf(url), pathEndOf(url)];
  const valueOf = (name: string): string => shownPlaceholderText(filled.values, name);
  const placed = alignTemplate({ parts: filled.parts, valueOf }, url.slice(start, end));
  const secretValues = secretValuesOf(secrets, values);
  if (placed === undefined) return mask(url, [...spans, ...findValues(url, secretValues, withShortOnes)]);
  for (const { name, span } of placed) {
    const own = moved(span, start);
    if (placeholders.includes(name)) spans.push(own);
    else spans.push(...findWithin(url, own, secretValues));
  }
  return mask(url, [...spans, ...findWithin(url, { start: end, end: url.length }, secretValues)]);
}

/** Of a path that a handler has made all is taken, and the query with it. */
function claimsIn(url: string, { claims }: RouteSecrets, { parts, values }: Filled): readonly Span[] {
  const start = pathStartOf(url);
  const valueOf = (name: string): string => shownPlaceholderText(values, name);
  const found = findClaims(url.slice(start, pathEndOf(url)), { parts, claims, valueOf });
  return found?.map((span) => moved(span, start)) ?? [{ start: start + 1, end: url.length }];
}

function findWithin(url: string, { start, end }: Span, values: readonly string[]): Span[] {
  return findValues(url.slice(start, end), values, withoutShortOnes).map((span) => moved(span, start));
}

function moved({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}

/** Middleware may have changed them: the client's own values are as secret. */
function secretValuesOf({ placeholders }: RouteSecrets, { captured, current }: RequestValues): string[] {
  const both = placeholders.flatMap((name) => [captured, current].map((values) => shownPlaceholderText(values, name)));
  return [...new Set(both)];
}

function mask(url: string, spans: readonly Span[]): string {
  return encodeControls(maskSpans(url, spans));
}

/** Control characters would let a request write lines of its own into a log. */
function encodeControls(text: string): string {
  return replaceControls(text, (character) => encodeURIComponent(character.toWellFormed()));
}

/** What is secret by the names of parameters, and what stands before a host. */
function findByNames(url: string, secrets: RouteSecrets): Span[] {
  const end = pathEndOf(url);
  const spans = findInPath(url, end, secrets.credentials).concat(findUserInfo(url, end));
  return end === url.length ? spans : spans.concat(findInQuery(url, end + 1, secrets));
}

const absoluteForm = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

function pathStartOf(url: string): number {
  return url.startsWith("/") ? 0 : (absoluteForm.exec(url)?.[0].length ?? 0);
}

function pathEndOf(url: string): number {
  const end = url.search(/[?#]/);
  return end === -1 ? url.length : end;
}
