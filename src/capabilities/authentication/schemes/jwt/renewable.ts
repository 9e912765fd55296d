import type { Authenticator } from "../../authenticator.ts";

const renewals = new WeakMap<Authenticator, () => void>();

/** Makes a scheme that can be made anew in its place: routes that stay as they are go on asking it. */
export function createRenewable(make: () => Authenticator): Authenticator {
  let current = make();
  const scheme: Authenticator = Object.assign(authenticateByCurrent, current);
  renewals.set(scheme, () => (current = make()));
  return scheme;

  function authenticateByCurrent(...asked: Parameters<Authenticator>): ReturnType<Authenticator> {
    return current(...asked);
  }
}

/** Makes a scheme anew, where it was made so that it can be; where that fails, it stays as it was. */
export function renew(scheme: Authenticator | undefined): void {
  if (scheme !== undefined) renewals.get(scheme)?.();
}
