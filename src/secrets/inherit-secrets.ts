import { inheritCredentialNames } from "./credentials-of-schemes.ts";
import { inheritVariableSecrets } from "./variable-secrets.ts";

/** Remembers for a changed copy of a route all that is known of the secrets of the original. */
export function inheritSecrets<Copy extends object>(copy: Copy, original: object): Copy {
  return inheritVariableSecrets(inheritCredentialNames(copy, original), original);
}
