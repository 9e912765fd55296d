const secretsOfVariables = new WeakMap<object, readonly string[]>();
const nothing: readonly string[] = [];

/** Remembers, for a configuration and each route of it, the values that came from variables named like secrets. */
export function rememberVariableSecrets(owner: object, values: readonly string[]): void {
  if (values.length > 0) secretsOfVariables.set(owner, values);
}

/** The values of variables named like secrets in the configuration that something comes from. */
export function variableSecretsOf(owner: object | undefined): readonly string[] {
  return (owner && secretsOfVariables.get(owner)) ?? nothing;
}
