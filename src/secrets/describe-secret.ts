import type { Route } from "../route.ts";
import { bearsSecret, findSecretName } from "./mask-metadata.ts";
import { maskValues } from "./redact.ts";
import { variableSecretsOf } from "./variable-secrets.ts";

/** Why a metadata entry of a route looks like a secret, in words; undefined where it does not. */
export function describeSecret(
  key: string,
  value: string | null,
  { config }: Pick<Route, "config">,
): string | undefined {
  const name = findSecretName(key, value);
  if (name === key) return "looks like a secret";
  if (name !== undefined) return `holds ${JSON.stringify(name)}, which looks like a secret`;
  if (value !== null && bearsSecret(value)) return "holds a secret, as its text tells";
  const isFromVariable = value !== null && maskValues(value, variableSecretsOf(config)) !== value;
  return isFromVariable ? "holds the value of a variable that is named like a secret" : undefined;
}
