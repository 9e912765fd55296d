import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { createStreamBody } from "../answer/stream-body.ts";
import { knownLength, trailers, type AnyResponse, writeBody } from "../answer/upstream-response.ts";
import { UpstreamError } from "../errors.ts";
import type { Headers, UpstreamResponse } from "../exchange.ts";
import { readAnswerTrailers } from "./answer-trailers.ts";

/** What one answer is written with, besides the answer itself. */
export type PassThroughSettings = Readonly<{ res: ServerResponse; wantsTrailers: boolean; via: boolean }>;

/** Writes an answer to the client as it stands; rejects when its body breaks off, with the head already sent. */
export async function passThrough(upstream: UpstreamResponse, settings: PassThroughSettings): Promise<void> {
  const { res } = settings;
  const writable = upstream as AnyResponse;
  writeHead(writable, settings);
  if (settings.wantsTrailers) addTrailersAtEnd(writable, res);
  return writable[writeBody] === undefined ? createStreamBody(upstream.body).writeTo(res) : writable[writeBody](res);
}

/** Writes the head of an answer to the client, together with what middleware has set on the response. */
export function writeHead(upstream: AnyResponse, { res, via }: Omit<PassThroughSettings, "wantsTrailers">): void {
  const { status, statusText, headers } = upstream;
  const length = upstream[knownLength];
  if (length !== undefined) headers["content-length"] = String(length);
  if (status === 204 || status < 200) delete headers["content-length"];
  if (via) headers.via = appendVia(headers.via);
  mergeHeaders(headers, res);
  try {
    res.writeHead(status, statusText, headers as OutgoingHttpHeaders);
  } catch (cause) {
    throw new UpstreamError("upstream-ill-formed", "The upstream's answer cannot be passed on.", { cause });
  }
}

function appendVia(present: string | string[] | undefined): string {
  return present === undefined ? "1.1 waymark" : `${String(present)}, 1.1 waymark`;
}

/** What earlier middleware has set stays where both can stand; elsewhere the upstream's word counts. */
function mergeHeaders(headers: Headers, res: ServerResponse): void {
  const cookies = res.getHeader("set-cookie");
  if (cookies !== undefined && headers["set-cookie"] !== undefined) {
    headers["set-cookie"] = [cookies, headers["set-cookie"]].flat().map(String);
  }
  const vary = res.getHeader("vary");
  if (vary !== undefined && headers.vary !== undefined) headers.vary = mergeVary(String(vary), String(headers.vary));
}

function mergeVary(first: string, second: string): string {
  const names = new Map(`${first},${second}`.split(",").map((name) => [name.trim().toLowerCase(), name.trim()]));
  names.delete("");
  return names.has("*") ? "*" : [...names.values()].join(", ");
}

function addTrailersAtEnd(upstream: AnyResponse, res: ServerResponse): void {
  const end = res.end.bind(res);
  res.end = function endWithTrailers(...parts: unknown[]): ServerResponse {
    if (res.chunkedEncoding) res.addTrailers(readAnswerTrailers(upstream[trailers] ?? []));
    return Reflect.apply(end, res, parts) as ServerResponse;
  };
}
