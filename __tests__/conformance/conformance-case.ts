import type net from "node:net";

/** A request that must reach the upstream: its request line, and of the rest only what the case is about. */
export type Arrival = Readonly<{
  line: string;
  /** Exact values by lower-case name; an array where a header must come repeated. */
  has?: Readonly<Record<string, string | readonly string[]>>;
  lacks?: readonly string[];
  body?: string;
}>;

/** An answer that the client must get. */
export type Outcome = Readonly<{
  status: number;
  /** The `code` of the problem in the body. */
  code?: string;
  has?: Readonly<Record<string, string | readonly string[]>>;
  lacks?: readonly string[];
  body?: string;
  trailers?: readonly (readonly [string, string])[];
}>;

/** One row: bytes in, what reaches the upstream, bytes out. */
export type ConformanceCase = Readonly<{
  name: string;
  send: string;
  /** Nothing must reach the upstream where this is absent. */
  reaches?: readonly Arrival[];
  /** Bytes that the upstream answers, or what it does with its connection. */
  upstream?: string | ((socket: net.Socket) => void);
  gets: readonly Outcome[];
  /** What an engine cannot do, by its name; the reason stands in docs/performance.md. */
  unlike?: Readonly<Record<string, readonly Outcome[]>>;
  /** The connection breaks off in the middle of the last answer. */
  isCut?: true;
  /** It may break off before the head of that answer has left. */
  mayLoseHead?: true;
  /** The client must be able to go on with its connection. */
  staysOpen?: true;
}>;

const host = "Host: gw.example";

/** The bytes of a request without a body. */
export function head(method: string, target: string, ...headers: readonly string[]): string {
  return [`${method} ${target} HTTP/1.1`, host, ...headers, "", ""].join("\r\n");
}

/** The bytes of a GET request. */
export function get(target: string, ...headers: readonly string[]): string {
  return head("GET", target, ...headers);
}

/** The bytes of a request with a body of known length. */
export function withLength(method: string, target: string, body: string, ...headers: readonly string[]): string {
  return head(method, target, ...headers, `Content-Length: ${Buffer.byteLength(body, "latin1")}`) + body;
}

/** The bytes of a request with a chunked body. */
export function chunked(method: string, target: string, body: string, ...headers: readonly string[]): string {
  const chunk = body === "" ? "" : `${Buffer.byteLength(body, "latin1").toString(16)}\r\n${body}\r\n`;
  return `${head(method, target, ...headers, "Transfer-Encoding: chunked")}${chunk}0\r\n\r\n`;
}

/** The bytes of an answer. */
export function answer(status: string, headers: readonly string[], body = ""): string {
  return [`HTTP/1.1 ${status}`, ...headers, "", body].join("\r\n");
}

/** A row for a request that is refused and never reaches the upstream. */
export function refused(name: string, send: string, status: number, code?: string): ConformanceCase {
  return { name, send, gets: [code === undefined ? { status } : { status, code }] };
}

/** A row for a request without a body that is forwarded to this target. */
export function forwarded(name: string, send: string, target: string): ConformanceCase {
  const method = send.slice(0, send.indexOf(" "));
  return { name, send, reaches: [{ line: `${method} ${target} HTTP/1.1` }], gets: [{ status: 200 }], staysOpen: true };
}
