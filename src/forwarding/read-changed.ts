import { guardServiceTarget } from "../capabilities/naming-service/guard-service-name.ts";
import type { OutgoingRequest } from "../delegating-handler.ts";
import { dropAliases, type HeaderSources } from "../headers/header-aliases.ts";
import { copyOutgoing } from "./copy-outgoing.ts";
import { readGivenOrigin } from "./read-given-origin.ts";
import { refuseUnsafeTarget } from "./refuse-unsafe-target.ts";
import type { DownstreamPath } from "./resolve-path.ts";

/** A request as it was before any handler saw it, and what its headers are looked through for. */
type Unchanged = DownstreamPath & HeaderSources & Readonly<{ origin: string }>;

/** A request as handlers have left it at this moment, which they may change at any later one; refuses what must not be sent. */
export function readChanged(changed: OutgoingRequest, before: Unchanged): OutgoingRequest {
  const outgoing = copyOutgoing(changed);
  if (outgoing.origin !== before.origin) outgoing.origin = readGivenOrigin(outgoing.origin);
  dropAliases(outgoing.headers, before);
  if (outgoing.path !== before.path) {
    refuseUnsafeTarget(outgoing.path);
    if (before.service !== undefined) guardServiceTarget(outgoing.path, before.service);
  }
  return outgoing;
}
