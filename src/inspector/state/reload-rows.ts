import type { Live, NotedReload } from "../../compiling/live.ts";
import { maskValues } from "../../secrets/redact.ts";
import { variableSecretsOf } from "../../secrets/variable-secrets.ts";

/** A reload as the page shows it: how much it has changed, or why nothing. */
export type ReloadRow = Readonly<{ at: number; added: number; removed: number; changed: number; failure?: string }>;

/** The latest reloads, the newest first. */
export function listReloadRows({ reloads, present }: Pick<Live, "reloads" | "present">): readonly ReloadRow[] {
  const secrets = variableSecretsOf(present.config);
  return reloads.map((reload) => describeReload(reload, (text) => maskValues(text, secrets)));
}

function describeReload(reload: NotedReload, mask: (text: string) => string): ReloadRow {
  const at = reload.at.getTime();
  if ("changes" in reload) {
    const { added, removed, changed } = reload.changes;
    return { at, added: added.length, removed: removed.length, changed: changed.length };
  }
  const { error } = reload;
  return {
    at,
    added: 0,
    removed: 0,
    changed: 0,
    failure: mask(error instanceof Error ? error.message : String(error)),
  };
}
