import { MetadataError } from "../errors.ts";
import { looksSecret, secretMask } from "../secrets/secrets.ts";
import type { Misfit } from "./misfit.ts";

/** Which value of which route was read as what. */
export type MetadataRead = Readonly<{ routeId: string; key: string; text: string; type: string; expected: string }>;

const longestShown = 200;

const reasons = {
  format: (expected: string) => `expected ${expected}`,
  overflow: (expected: string) => `out of range, expected ${expected}`,
  argument: (_expected: string, type: string) => `the configured NumberStyle does not allow the type ${type}`,
} as const;

/** The error of a value that does not fit. Secrets appear nowhere in it: neither in the message nor in its fields, nor in a cause. */
export function metadataErrorOf({ routeId, key, text, type, expected }: MetadataRead, misfit: Misfit): MetadataError {
  const isSecret = looksSecret(key) || holdsSecretMember(text);
  const value = isSecret ? secretMask : text;
  const detail = misfit.message === "" || isSecret ? "" : ` (${misfit.message})`;
  const reason = reasons[misfit.reason](expected, type);
  return new MetadataError(
    `Invalid metadata ${JSON.stringify(key)} of route ${JSON.stringify(routeId)}: ${reason}, received ${shown(value)}${detail}`,
    { route: routeId, key, type, value, reason: misfit.reason, cause: isSecret ? undefined : misfit.cause },
  );
}

function shown(value: string): string {
  if (value === secretMask) return "a secret value";
  return value.length <= longestShown
    ? JSON.stringify(value)
    : `${JSON.stringify(value.slice(0, longestShown))} and ${value.length - longestShown} characters more`;
}

/** Whether the text looks like JSON with a member such as `"apiKey":`. */
function holdsSecretMember(text: string): boolean {
  for (const [, name = ""] of text.matchAll(/"([^"\\]{1,100})"\s{0,10}:/g)) if (looksSecret(name)) return true;
  return false;
}
