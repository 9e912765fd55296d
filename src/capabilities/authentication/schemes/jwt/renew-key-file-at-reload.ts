import type { Authenticator } from "../../authenticator.ts";

/** Puts into force what was made anew. */
export type Renewal = () => void;

/** The file that a scheme was made from, and how it is made anew. */
type Origin = Readonly<{ file: string; prepare: () => Renewal }>;

const origins = new WeakMap<Authenticator, Origin>();

/** Makes a scheme from a file that can be made anew in its place: routes that stay as they are go on asking it. */
export function createRenewable(file: string, make: () => Authenticator): Authenticator {
  let current = make();
  const scheme: Authenticator = Object.assign(authenticateByCurrent, current);
  origins.set(scheme, { file, prepare });
  return scheme;

  function prepare(): Renewal {
    const next = make();
    return () => (current = next);
  }

  function authenticateByCurrent(...asked: Parameters<Authenticator>): ReturnType<Authenticator> {
    return current(...asked);
  }
}

/** Makes a scheme anew, where it was made so that it can be; it goes on as it was until that is put into force. */
export function prepareRenewal(scheme: Authenticator): Renewal | undefined {
  return origins.get(scheme)?.prepare();
}

/** The file that a scheme was made from, where it can be made anew. */
export function fileOfScheme(scheme: Authenticator): string | undefined {
  return origins.get(scheme)?.file;
}
