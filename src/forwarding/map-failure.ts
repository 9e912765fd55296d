import { isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";
import { type ErrorCode, GatewayError, OverloadError, UpstreamError } from "../errors.ts";
import { connectTimeoutCode } from "./connect.ts";

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

const ownLack = /^E(?:[MN]FILE|NOMEM|NOBUFS|ADDRNOTAVAIL)$/;

/**
 * Whether the gateway's own process, or its machine, has no room for another connection: no file, memory or local port for
 * it. That says nothing about the host.
 */
export function isOwnLack(failure: unknown): boolean {
  // Of a name with several addresses each has failed in its way.
  const failures: readonly unknown[] = failure instanceof AggregateError ? failure.errors : [failure];
  return failures.length > 0 && failures.every((each) => ownLack.test(codeOf(each)) && !lacksAddress(each));
}

/** A machine without IPv6 tells of a host's IPv6 address what others tell of their ports. */
function lacksAddress(failure: unknown): boolean {
  const { address = "" } = failure as { address?: string };
  return codeOf(failure) === "EADDRNOTAVAIL" && isIPv6(address) && !hasIpv6();
}

function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === "IPv6"));
}

/** The code by which Node and the engines know a failure; empty where there is none. */
export function codeOf(failure: unknown): string {
  const { code } = (failure ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}

function findFailureCode(code: string): FailureCode {
  if (code === connectTimeoutCode) return "connect-timeout";
  return failureCodes.find((row) => row.code.test(code))?.failure ?? "upstream-reset";
}

function createUpstreamError(code: FailureCode, cause: unknown): UpstreamError {
  return new UpstreamError(code, messages[code], { cause });
}
