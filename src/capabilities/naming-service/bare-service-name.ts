const prefix = /^(fabric:\/|\/)/;

/** A service name as it is asked for: a configuration may put `fabric:/`, or a slash, in front of it. */
export function bareServiceName(name: string): string {
  return name.replace(prefix, "");
}
