import type { ErrorCode } from "../errors.ts";

/** The rule behind each refusal, for somebody who wonders why. */
const rules: Partial<Readonly<Record<ErrorCode, string>>> = {
  "path-control-character":
    "A path may hold no control character, neither raw nor as %00 to %1F or %7F: programs behind the gateway cut or split texts there.",
  "path-escape":
    "Every % of a path must begin an escape of two hex digits, and %C0, %C1 and %F5 to %FF are never part of UTF-8: decoders disagree about what they mean.",
  "path-dot-segment":
    "No piece of a path may be . or .. once it is decoded; pieces end at / and \\, and of a piece only what stands before a ; counts. Otherwise a request could leave the path that its route opens.",
  "path-fragment": "A # in a path must be written as %23: what follows a raw one never belongs to a request.",
  "query-control-character": "A query may hold no raw control character; everything else in it passes.",
  "host-invalid":
    "A request has one Host header, with a name or address and an optional port of at most 65535. A request line that names one has none of % ' ; in it.",
  "host-mismatch": "A request line that names a host must name the one of the Host header.",
  "target-invalid":
    "What goes upstream must be a / followed by visible ASCII without #. A placeholder has brought something else into it.",
  "service-name-value":
    "A value that is filled into ServiceName may hold, raw or decoded once, no / \\ ? # and no control character, and no escape may be left in it; no segment of the filled name may be empty, . or ..; from the third segment on it may hold none of $ + | ~, where the naming service cuts a name. Otherwise a client could choose another service.",
  "service-name-parameter":
    "The naming service lets a query parameter ServiceName override the service. A client may send it only if the provider has AllowServiceNameParameter: true.",
  "client-parameter":
    "Of PartitionKind, PartitionKey, ListenerName, TargetReplicaSelector and Timeout a client may send those that ClientParameters of the route, or else of the provider, lists.",
  "parameters-too-many":
    "Where claims add parameters behind the client's, at most 500 parameters may stand in front of them, split at & and at ;. Some services read no more than a thousand, and would leave out those behind.",
  "request-ill-formed": "A WebSocket is opened by GET, with a Sec-WebSocket-Key of 16 bytes as base64.",
  "body-too-deep":
    "A body that a parser has read before the gateway is written again, which ends where lists and objects are nested in some thousand others, or where a form, which has names in front of each value, would become many times as long.",
  "body-number-too-large":
    "JSON that a parser has read before the gateway is written again, which numbers beyond 1.8e308 cannot be: the parser has made infinity of them.",
  "origin-refused": "Browsers send the origin of the page; it must be among AllowedOrigins where there are any.",
  "url-too-long": "Limits.Url, 8192 characters by default, holds for path and query together.",
  "header-too-large":
    "Limits.Header holds for names and values of all header fields, with four bytes more for each. There must be fewer than the server reads, 1000 by default: Node leaves out the others.",
  "transfer-coding-unsupported":
    "Transfer-Encoding may say chunked and nothing else: other codings would stay on the bytes while their name is lost.",
  "body-too-large": "Limits.Body holds for the length that the request declares, and for what comes in.",
  "address-refused":
    "The client's address must be in IPAllowedList, where there is one, and not in IPBlockedList. It is the last address that trustProxy does not trust.",
  overloaded: "The limits allow no request, or no WebSocket, at all.",
};

/** The rule behind a refusal, in words. */
export function ruleOf(code: ErrorCode): string {
  return rules[code] ?? "See the page about errors.";
}
