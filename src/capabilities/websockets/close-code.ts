/** Why the gateway closes a WebSocket: as a server does that shuts down, or because its client may not have it any more. */
export const closeCodes = { goingAway: 1001, policyViolation: 1008 } as const;

/** A code of RFC 6455 7.4 with which the gateway closes WebSockets. */
export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes];

/** A route as it was when a WebSocket was opened: whether a reload has changed it since, and a lock of it. */
export type SocketVersion = Readonly<{ isRetired: boolean; isLockedAnew?: boolean }>;

/** How a WebSocket is closed as the gateway ends, or its route is changed: where a lock was, its client may not have it any longer. */
export function codeFor({ isLockedAnew = false }: SocketVersion): CloseCode {
  return isLockedAnew ? closeCodes.policyViolation : closeCodes.goingAway;
}
