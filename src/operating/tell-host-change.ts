import type { HostChange, KeysChange } from "../capabilities/capability.ts";
import { allRoutesOf } from "../compiling/all-routes.ts";
import type { CompiledConfiguration } from "../compiling/compiled-configuration.ts";
import type { Logger } from "../logging/logger.ts";
import type { TellChange } from "../observing/gateway-changes.ts";
import { maskValues } from "../secrets/redact.ts";
import { variableSecretsOf } from "../secrets/variable-secrets.ts";

/** Makes the function that tells observers, and the log, that a host is asked, or passed over, from now on; keys as well. */
export function createTellHostChange(
  present: () => CompiledConfiguration,
  tell: TellChange,
  logger: Logger,
): (change: HostChange | KeysChange) => void {
  return function tellHostChange({ route: memory, before, ...change }) {
    const configuration = present();
    const route = memory && allRoutesOf(configuration).find(({ load }) => load === memory)?.route;
    const name = maskValues(change.name, variableSecretsOf(configuration.config));
    const line = lines[`${change.state}, was ${before}`];
    if (line !== undefined) logger[line.level]({ host: name, ...(route && { route: route.id }) }, line.text);
    tell({ ...change, name, route });
  };
}

/** What is worth a line, by the state and the one before; a host that is tried out now and then is not. */
const lines: Readonly<Record<string, Readonly<{ level: "info" | "warn"; text: string }>>> = {
  "open, was closed": { level: "warn", text: "A host has failed too often, and is left alone for a while." },
  "closed, was half-open": { level: "info", text: "A host that was left alone answers again." },
  "down, was up": { level: "warn", text: "A host does not pass its health checks, and is passed over." },
  "up, was down": { level: "info", text: "A host passes its health checks again." },
};

/** That a host has come up, or gone down, by its checks. */
export function healthChange(name: string, isUp: boolean): HostChange {
  return isUp
    ? { kind: "health", name, state: "up", before: "down" }
    : { kind: "health", name, state: "down", before: "up" };
}
