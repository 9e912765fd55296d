/** A service as those who find its instances are asked for it. */
export type Service = Readonly<{
  name: string;
  /** Only where a route or a path names one. */
  namespace?: string | undefined;
  /** The scheme that the route speaks, where it says so: a service may have a port for each. */
  scheme?: "http" | "https" | undefined;
}>;

const longestName = 253;
const askableName = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;

/** Whether anybody is asked for a service of this name: others could be read as a path or a query. */
export function isAskable(name: string): boolean {
  return name.length <= longestName && askableName.test(name);
}

/** A service as people and logs call it. */
export function labelOf({ name, namespace }: Service): string {
  return namespace === undefined ? name : `${namespace}.${name}`;
}
