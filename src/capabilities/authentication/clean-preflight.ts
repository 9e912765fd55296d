import type { Headers } from "../../delegating-handler.ts";
import type { MatchedExchange } from "../../exchange/matched-exchange.ts";
import { plainName } from "../../headers/header-aliases.ts";
import { createIsClients } from "../../headers/set-by-client-or-here.ts";
import { isTakenForIdentity, isTakenForTarget, methodHeaders } from "../../headers/headers-services-go-by.ts";
import { noCredentialNames } from "../../secrets/credentials-of-schemes.ts";
import { isSecretHeader } from "../../secrets/secret-names.ts";

/**
 * Takes from a preflight what a browser never sends with it: credentials, and what makes something else of it than it was
 * let in as. What was asked for a trusted peer may tell, but by no other method. What the schemes of the gateway read is
 * withheld from it as from every request.
 */
export function cleanPreflight(
  headers: Headers,
  { context: { req }, peerIsTrusted }: Pick<MatchedExchange, "context" | "peerIsTrusted">,
): void {
  const isClients = createIsClients({ headers, rawHeaders: req.rawHeaders });
  for (const name of Object.keys(headers)) {
    if (isForeign(name, peerIsTrusted) && isClients(name)) Reflect.deleteProperty(headers, name);
  }
}

function isForeign(name: string, peerIsTrusted: boolean): boolean {
  const plain = plainName(name);
  if (isSecretHeader(name, noCredentialNames) || isTakenForIdentity(plain) || methodHeaders.has(plain)) return true;
  return !peerIsTrusted && isTakenForTarget(plain);
}
