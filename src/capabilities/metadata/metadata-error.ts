import { MetadataError, type MetadataFailure } from "../../errors.ts";
import { bearsSecret, findSecretName } from "../../secrets/mask-metadata.ts";
import { maskValues } from "../../secrets/redact.ts";
import { secretMask } from "../../secrets/secret-names.ts";

/** Which value of which route was read as what. */
type MetadataRead = Readonly<{
  routeId: string;
  key: string;
  text: string;
  type: string;
  expected: string;
  /** Values of variables that are named like secrets. */
  variables: readonly string[];
}>;

const longestShown = 200;

const reasons = {
  format: (expected: string) => `expected ${expected}`,
  overflow: (expected: string) => `out of range, expected ${expected}`,
  argument: (_expected: string, type: string) => `the configured NumberStyle does not allow the type ${type}`,
} as const;

/** The error of a value that does not fit. Secrets appear nowhere in it: neither in the message nor in its fields, nor in a cause. */
export function metadataErrorOf(
  { routeId, key, text, type, expected, variables }: MetadataRead,
  misfit: Misfit,
): MetadataError {
  const isSecret = findSecretName(key, text) !== undefined || bearsSecret(text) || maskValues(text, variables) !== text;
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

/** A text that does not fit a type, before it is known to which route and key it belongs. */
export class Misfit extends Error {
  readonly reason: MetadataFailure;

  constructor(reason: MetadataFailure, detail = "", cause?: unknown) {
    super(detail, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
