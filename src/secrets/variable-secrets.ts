const secretsOfVariables = new WeakMap<object, readonly string[]>();
const nothing: readonly string[] = [];

/** Of the values of one configuration those that hold for all routes, and the lists of routes that have more. */
type Lists = Readonly<{ shared: readonly string[]; ofRoutes: Map<string, readonly string[]> }>;

const listsOf = new WeakMap<readonly string[], Lists>();

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
  listsOf.set(values, { shared, ofRoutes: new Map() });
}

/** Remembers for a changed copy of something what is remembered for the original. */
export function inheritVariableSecrets<Copy extends object>(copy: Copy, original: object): Copy {
  const values = secretsOfVariables.get(original);
  if (values !== undefined) secretsOfVariables.set(copy, values);
  return copy;
}

/**
 * Those of the values that stand in a route, or where they hold for all: no other comes into its requests. Routes with
 * the same ones share a list, which is prepared once for being looked for.
 */
export function variableSecretsWrittenFor(route: object): readonly string[] {
  const values = variableSecretsOf(route);
  const lists = listsOf.get(values);
  if (lists === undefined) return nothing;
  const own = values.filter((value) => !lists.shared.includes(value) && isWrittenIn(route, value));
  if (own.length === 0) return lists.shared;
  const name = JSON.stringify(own);
  const known = lists.ofRoutes.get(name);
  const list = known ?? [...lists.shared, ...own];
  if (known === undefined) lists.ofRoutes.set(name, list);
  return list;
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
