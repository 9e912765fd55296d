import type { Headers } from "../exchange.ts";
import { maskValues } from "../secrets/redact.ts";
import { isSecretHeader, looksSecret, looksSecretValue, secretMask } from "../secrets/secrets.ts";
import type { ExplainedMetadata, ExplainedPlaceholder, Explanation } from "./explanation.ts";

/** What of a URL or template may be shown: given by who knows the route. */
export type MaskUrl = (text: string, routeIndex: number | undefined) => string;

/** An explanation as it may be shown: secrets of the configuration and of the request are `***`. */
export function maskExplanation(explanation: Explanation, maskUrl: MaskUrl): Explanation {
  const { request, routes, placeholders, forwarded, metadata } = explanation;
  const index = routes.find(({ verdict }) => verdict === "takes")?.index;
  const maskedPlaceholders = placeholders.map(maskPlaceholder);
  const secretValues = placeholders
    .filter(({ name }) => looksSecretValue(name))
    .flatMap(({ value, decoded }) => [value, decoded]);
  const maskText = (text: string): string => maskValues(maskUrl(text, index), secretValues);
  return {
    ...explanation,
    request: { ...request, path: maskText(request.path) },
    routes: routes.map((route) => ({
      ...route,
      upstreamPathTemplate: maskUrl(route.upstreamPathTemplate, route.index),
      reasons: route.reasons.map(({ aspect, message }) => ({ aspect, message: maskValues(message, secretValues) })),
    })),
    placeholders: maskedPlaceholders,
    forwarded: forwarded && {
      ...forwarded,
      url: maskText(forwarded.url),
      headers: maskHeaders(forwarded.headers, secretValues),
    },
    metadata: metadata.map(maskMetadata),
  };
}

function maskPlaceholder(placeholder: ExplainedPlaceholder): ExplainedPlaceholder {
  return looksSecretValue(placeholder.name) ? { ...placeholder, value: secretMask, decoded: secretMask } : placeholder;
}

function maskHeaders(headers: Headers, secretValues: readonly string[]): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isSecretHeader(name) ? secretMask : maskEach(value, secretValues),
    ]),
  );
}

function maskEach(value: string | string[], secretValues: readonly string[]): string | string[] {
  return typeof value === "string"
    ? maskValues(value, secretValues)
    : value.map((one) => maskValues(one, secretValues));
}

/** Metadata whose key looks like that of a secret. */
export function maskMetadata(entry: ExplainedMetadata): ExplainedMetadata {
  const mask = looksSecret(entry.key) ? maskWhole : maskMembers;
  return {
    ...entry,
    value: mask(entry.value),
    ...("replaces" in entry ? { replaces: mask(entry.replaces ?? null) } : {}),
  };
}

function maskWhole(value: string | null): string | null {
  return value === null ? null : secretMask;
}

/** A value may be an object as JSON, with secrets among its members. */
function maskMembers(value: string | null): string | null {
  if (value === null || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.stringify(JSON.parse(value), (name, member: unknown) => (looksSecret(name) ? secretMask : member));
  } catch {
    return value;
  }
}
