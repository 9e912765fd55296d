import type { CredentialNames } from "./credentials-of-schemes.ts";
import { findInParameters } from "./find-in-parameters.ts";
import { looksSecretValue } from "./secret-names.ts";
import type { Span } from "./spans.ts";
import { findUserInfo } from "./user-info.ts";

const mayHoldSecret = /[=%"']/;

/** A path may have parameters, too, behind semicolons, and a segment of it may be a URL, encoded. */
const within = /;/;

/** Where secret values stand in the path with which a URL begins, and what stands before a host in it. */
export function findInPath(path: string, credentials: CredentialNames): Span[] {
  const spans = findUserInfo(path);
  if (!mayHoldSecret.test(path)) return spans;
  const isSecretName = (name: string): boolean => looksSecretValue(name, credentials);
  return spans.concat(findInParameters({ url: path, start: 0, between: "/", within }, { isSecretName, credentials }));
}
