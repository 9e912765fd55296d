/** What the naming service answers by itself: the reason phrase says why, the body is empty. Everything else is a 500. */
export const statusOfReason = {
  FABRIC_E_INVALID_ADDRESS: 400,
  FABRIC_E_INVALID_PARTITION_KEY: 400,
  E_INVALIDARG: 400,
  FABRIC_E_SERVICE_DOES_NOT_EXIST: 404,
  FABRIC_E_PARTITION_NOT_FOUND: 404,
  FABRIC_E_ENDPOINT_NOT_FOUND: 404,
  FABRIC_E_NAME_DOES_NOT_EXIST: 404,
  NotFound: 404,
  FABRIC_E_MESSAGE_TOO_LARGE: 413,
  "Internal Server Error": 500,
  FABRIC_E_GATEWAY_NOT_REACHABLE: 502,
  "SSL Handshake Failed": 502,
  FABRIC_E_SERVICE_OFFLINE: 503,
  FABRIC_E_NOT_PRIMARY: 503,
  FABRIC_E_SERVICE_TOO_BUSY: 503,
  E_ABORT: 503,
  FABRIC_E_COMMUNICATION_ERROR: 504,
  FABRIC_E_TIMEOUT: 504,
  "Reverse Proxy Timeout": 504,
} as const satisfies Record<string, number>;

/** Why the naming service answered by itself, as its reason phrase says it. */
export type Reason = keyof typeof statusOfReason;

/** A step of the resolution that did not succeed. */
export type Refusal = Readonly<{ refused: Reason }>;
