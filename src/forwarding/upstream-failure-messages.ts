import { type ErrorCode, GatewayError, OverloadError, UpstreamError } from "../errors.ts";
import { connectTimeoutCode } from "./connect-in-time.ts";
import { codeOf } from "./failure-code.ts";
import { isOwnLack } from "./no-room-for-connections.ts";

/** What a client is told about each way in which an upstream can fail; the address stays in `cause`. */
const messages = {
  "upstream-refused": "The upstream refused the connection.",
  "upstream-unreachable": "The upstream cannot be reached.",
  "upstream-not-found": "The upstream's name is not known.",
  "upstream-reset": "The upstream closed the connection before it answered.",
  "upstream-ill-formed": "The upstream's answer is not HTTP.",
  "upstream-tls": "No secure connection to the upstream could be made.",
  "connect-timeout": "No connection to the upstream in time.",
} as const satisfies Partial<Record<ErrorCode, string>>;

type FailureCode = keyof typeof messages;

const failureCodes: readonly Readonly<{ code: RegExp; failure: FailureCode }>[] = [
  { code: /^ECONNREFUSED$/, failure: "upstream-refused" },
  { code: /^E(?:HOST|NET)(?:UNREACH|DOWN)$|^EADDRNOTAVAIL$|^EACCES$/, failure: "upstream-unreachable" },
  { code: /^ENOTFOUND$|^EAI_/, failure: "upstream-not-found" },
  { code: /^ETIMEDOUT$|^UND_ERR_CONNECT_TIMEOUT$/, failure: "connect-timeout" },
  { code: /^HPE_|^UND_ERR_(?:HEADERS_OVERFLOW|INFO)$/, failure: "upstream-ill-formed" },
  { code: /CERT|^ERR_(?:TLS|SSL)_|^EPROTO$|SELF_SIGNED|UNABLE_TO_/, failure: "upstream-tls" },
];

// A header that middleware or a handler has set and Node refuses to send: a mistake of the program, not of the upstream.
const programmersMistake = /^ERR_(?:INVALID_|HTTP_INVALID|UNESCAPED)/;

/** The error that a failed call to the upstream stands for. */
export function mapFailure(failure: unknown): Error {
  if (failure instanceof GatewayError) return failure;
  const code = codeOf(failure);
  if (programmersMistake.test(code)) return failure as Error;
  if (isOwnLack(failure)) {
    return new OverloadError("overloaded", "The gateway can open no more connections at the moment.", {
      cause: failure,
      headers: { "retry-after": "1" },
    });
  }
  return createUpstreamError(findFailureCode(code), failure);
}

function findFailureCode(code: string): FailureCode {
  if (code === connectTimeoutCode) return "connect-timeout";
  return failureCodes.find((row) => row.code.test(code))?.failure ?? "upstream-reset";
}

function createUpstreamError(code: FailureCode, cause: unknown): UpstreamError {
  return new UpstreamError(code, messages[code], { cause });
}
