const secretsOfVariables = new WeakMap<object, readonly string[]>();
const nothing: readonly string[] = [];

const sharedSecrets = new WeakMap<readonly string[], readonly string[]>();

/**
 * Remembers, for a configuration and each route of it, the values that came from variables named like secrets, and which
 * of them stand where they hold for all routes.
 */
export function rememberVariableSecrets(
  owners: readonly object[],
  values: readonly string[],
  shared: readonly string[],
): void {
  if (values.length === 0) return;
  for (const owner of owners) secretsOfVariables.set(owner, values);
  sharedSecrets.set(values, shared);
}

/** Those of the values that stand in a route, or where they hold for all: no other comes into its requests. */
export function variableSecretsWrittenFor(route: object): readonly string[] {
  const values = variableSecretsOf(route);
  const shared = sharedSecrets.get(values) ?? nothing;
  return values.filter((value) => shared.includes(value) || isWrittenIn(route, value));
}

/** Whether a text stands anywhere in a value. */
export function isWrittenIn(value: unknown, text: string): boolean {
  if (typeof value === "string") return value.includes(text);
  return typeof value === "object" && value !== null && Object.values(value).some((one) => isWrittenIn(one, text));
}

/** The values of variables named like secrets in the configuration that something comes from. */
export function variableSecretsOf(owner: object | undefined): readonly string[] {
  return (owner && secretsOfVariables.get(owner)) ?? nothing;
}
