import { type CloseCode, closeCodes } from "./closing-frame.ts";

/** A route as it was when a WebSocket was opened: whether a reload has changed it since, and a lock of it. */
export type SocketVersion = Readonly<{ isRetired: boolean; isLockedAnew?: boolean }>;

/** How a WebSocket is closed as the gateway ends, or its route is changed: where a lock was, its client may not have it any longer. */
export function codeFor({ isLockedAnew = false }: SocketVersion): CloseCode {
  return isLockedAnew ? closeCodes.policyViolation : closeCodes.goingAway;
}
