import type { Headers } from "../../delegating-handler.ts";
import { createIsClients, type HeadersOfRequest } from "../../headers/is-clients-header.ts";
import { isPlainlyAmong } from "../../headers/header-aliases.ts";
import { noCredentialNames } from "../../secrets/credential-names.ts";
import { isSecretHeader } from "../../secrets/looks-secret.ts";

// Some upstreams take the method from these.
const overrides: ReadonlySet<string> = new Set(["x-http-method-override", "x-http-method", "x-method-override"]);

/**
 * Takes from a preflight what a browser never sends with it: credentials, and what makes another method of it. What the
 * schemes of the gateway read is withheld from it as from every request.
 */
export function cleanPreflight(headers: Headers, { rawHeaders }: Pick<HeadersOfRequest, "rawHeaders">): void {
  const isClients = createIsClients({ headers, rawHeaders });
  for (const name of Object.keys(headers)) {
    const isForeign = isSecretHeader(name, noCredentialNames) || isPlainlyAmong(name, overrides);
    if (isForeign && isClients(name)) Reflect.deleteProperty(headers, name);
  }
}
