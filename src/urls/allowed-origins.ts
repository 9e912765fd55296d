/** Origins as they are compared: in lower case, and without the slash that is often copied with them. */
export type AllowedOrigins = ReadonlySet<string>;

/** By the list, which many routes may share. */
const known = new WeakMap<readonly string[], AllowedOrigins>();

/** Prepares a list of origins for comparing. */
export function readOrigins(list: readonly string[]): AllowedOrigins {
  let origins = known.get(list);
  if (origins === undefined) {
    origins = new Set(list.map((origin) => origin.trim().toLowerCase().replace(/\/$/, "")));
    known.set(list, origins);
  }
  return origins;
}

/** Whether an origin is named in a list, in which `*` stands for any. */
export function isAllowedOrigin(origin: string, origins: AllowedOrigins): boolean {
  return origins.has("*") || isNamedOrigin(origin, origins);
}

/** Whether an origin itself is named in a list. */
export function isNamedOrigin(origin: string, origins: AllowedOrigins): boolean {
  return origins.has(origin.toLowerCase());
}
