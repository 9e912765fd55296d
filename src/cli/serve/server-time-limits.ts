/** The time limits of the server, in milliseconds. */
export const serverTimeLimits = {
  // Longer than the proxies in front of it keep theirs, so that no request meets a connection that is just being closed.
  keepAliveTimeout: 65_000,
  headersTimeout: 66_000,
  // An upload may take as long as it goes on: its route says how long it may stand still.
  requestTimeout: 0,
} as const;
