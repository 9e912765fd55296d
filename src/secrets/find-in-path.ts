import type { CredentialNames } from "./credentials-of-schemes.ts";
import { findInParameters } from "./find-in-parameters.ts";
import { looksSecretValue } from "./secret-names.ts";
import type { Span } from "./spans.ts";

const mayHoldSecret = /[=%"']/;

/** A path may have parameters, too, behind semicolons, and a segment of it may be a URL, encoded. */
const within = /;/;

/** What was found in a path; a service is mostly asked for the one that the client asked for. */
let last: Readonly<{ url: string; end: number; credentials: CredentialNames; spans: readonly Span[] }> | undefined;

/** Where secret values stand in the path with which a URL begins; JSON in it may hold what looks like the end of a path. */
export function findInPath(url: string, end: number, credentials: CredentialNames): Span[] {
  if (!mayHoldSecret.test(url.slice(0, end))) return [];
  if (last?.url !== url || last.end !== end || last.credentials !== credentials) {
    last = { url, end, credentials, spans: findIn(url, end, credentials) };
  }
  return [...last.spans];
}

function findIn(url: string, end: number, credentials: CredentialNames): Span[] {
  const isSecretName = (name: string): boolean => looksSecretValue(name, credentials);
  return findInParameters({ url, start: 0, end, between: "/", within }, { isSecretName, credentials });
}
