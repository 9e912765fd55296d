import type { KeysChange } from "../capability.ts";
import type { Authenticator } from "./authenticator.ts";

/** Whether the keys of a scheme can be had; told as that changes. */
export type TellKeys = (state: KeysChange["state"]) => void;

/** Knows of which schemes of a gateway the keys cannot be had; schemes that a reload has replaced are not heard any more. */
export type KeyChanges = Readonly<{
  /** Makes a scheme that tells of its keys. */
  make: (name: string, create: (tell: TellKeys) => Authenticator) => Authenticator;
  /** Says which schemes are in force. */
  settle: (present: readonly Authenticator[]) => void;
}>;

/** Makes what hears of keys; `changed` is told of them. */
export function createKeyChanges(changed: (change: KeysChange) => void): KeyChanges {
  const names = new WeakMap<Authenticator, string>();
  const away = new Set<Authenticator>();
  let inForce: ReadonlySet<Authenticator> | undefined;
  return { make, settle };

  function make(name: string, create: (tell: TellKeys) => Authenticator): Authenticator {
    const scheme = create((state) => note(scheme, state));
    names.set(scheme, name);
    return scheme;
  }

  function note(scheme: Authenticator, state: KeysChange["state"]): void {
    if (inForce !== undefined && !inForce.has(scheme)) return;
    if (state === "away") away.add(scheme);
    else away.delete(scheme);
    changed({ kind: "keys", name: names.get(scheme)!, state, before: state === "away" ? "there" : "away" });
  }

  function settle(present: readonly Authenticator[]): void {
    const next = new Set(present);
    for (const scheme of away) if (!next.has(scheme)) note(scheme, "there");
    inForce = next;
  }
}
