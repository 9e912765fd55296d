import type { Authenticator } from "../../authenticator.ts";

/** Puts into force what was made anew. */
export type Renewal = () => void;

const preparations = new WeakMap<Authenticator, () => Renewal>();

/** Makes a scheme that can be made anew in its place: routes that stay as they are go on asking it. */
export function createRenewable(make: () => Authenticator): Authenticator {
  let current = make();
  const scheme: Authenticator = Object.assign(authenticateByCurrent, current);
  preparations.set(scheme, function prepare() {
    const next = make();
    return () => (current = next);
  });
  return scheme;

  function authenticateByCurrent(...asked: Parameters<Authenticator>): ReturnType<Authenticator> {
    return current(...asked);
  }
}

/** Makes a scheme anew, where it was made so that it can be; it goes on as it was until that is put into force. */
export function prepareRenewal(scheme: Authenticator): Renewal | undefined {
  return preparations.get(scheme)?.();
}
