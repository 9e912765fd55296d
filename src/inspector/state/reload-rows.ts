import type { Live, NotedReload } from "../../compiling/live.ts";
import { maskValues } from "../../secrets/redact.ts";
import { variableSecretsOf } from "../../secrets/variable-secrets.ts";

/** A reload as the page shows it: how much it has changed, or why nothing. */
export type ReloadRow = Readonly<{ at: number; added: number; removed: number; changed: number; failure?: string }>;

// A configuration may have thousands of problems.
const longestFailure = 4_000;

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
  const message = mask(error instanceof Error ? error.message : String(error));
  return { at, added: 0, removed: 0, changed: 0, failure: message.slice(0, longestFailure) };
}
