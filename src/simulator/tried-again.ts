import type { CallFailure } from "./call-replica.ts";
import type { Reason, Refusal } from "./reasons.ts";
import { filterHeaders } from "./request-headers.ts";
import type { ServiceAnswer } from "./service-answer.ts";

/** Failures to resolve that may pass: resolved again until the time is used up, so a client never sees them. */
export const passingReasons: ReadonlySet<Reason> = new Set<Reason>([
  "FABRIC_E_GATEWAY_NOT_REACHABLE",
  "FABRIC_E_SERVICE_TOO_BUSY",
  "FABRIC_E_SERVICE_OFFLINE",
  "NotFound",
]);

/** What becomes of a try without an answer. */
type FailureVerdicts = Readonly<Record<CallFailure, Refusal | "drop" | "again">>;

/** What becomes of a WebSocket handshake that no replica answers. */
export const verdictsOnUpgrade: FailureVerdicts = {
  unreachable: "again",
  "tls-failure": { refused: "SSL Handshake Failed" },
  "ill-formed": "again",
  late: "again",
  dropped: "again",
};

/** What becomes of an ordinary request that no replica answers: nothing is repeated once a body has left. */
export function verdictsOnRequest(hasBody: boolean): FailureVerdicts {
  return {
    unreachable: "again",
    "tls-failure": { refused: "SSL Handshake Failed" },
    "ill-formed": { refused: "Internal Server Error" },
    late: { refused: "Reverse Proxy Timeout" },
    dropped: hasBody ? "drop" : "again",
  };
}

const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether an answer means that the replica is no longer there, so that the service is resolved again. */
export function isFromMovedReplica(
  answer: ServiceAnswer,
  { method, hasBody }: Readonly<{ method: string; hasBody: boolean }>,
): boolean {
  if (hasBody || !readingMethods.has(method)) return false;
  if (answer.status === 404) return headerValue(answer, "x-servicefabric") !== "ResourceNotFound";
  return answer.status === 410 || answer.status === 503;
}

function headerValue({ rawHeaders }: ServiceAnswer, name: string): string | undefined {
  return filterHeaders(rawHeaders, (candidate) => candidate === name)[1];
}
