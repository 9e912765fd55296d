import type { AnswerBody } from "../bodies/answer-body.ts";
import { dropHeadersOfBytes } from "./headers-of-body.ts";
import { putBody, type AnyResponse } from "./upstream-response.ts";
import type { UpstreamResponse } from "../delegating-handler.ts";

/** Gives an answer a body with the same meaning in other bytes. */
export function replaceBody(upstream: UpstreamResponse, body: AnswerBody): void {
  const { etag } = upstream.headers;
  assign(upstream, body);
  dropHeadersOfBytes(upstream.headers);
  if (typeof etag === "string") upstream.headers.etag = etag.startsWith("W/") ? etag : `W/${etag}`;
}

/** Gives an answer a body with the same bytes. */
export function returnBody(upstream: AnyResponse, body: AnswerBody): void {
  if (upstream[putBody] !== undefined) {
    upstream[putBody](body, true);
    return;
  }
  const headers = { ...upstream.headers };
  upstream.body = body.toStream();
  Object.assign(upstream.headers, headers);
}

function assign(upstream: AnyResponse, body: AnswerBody): void {
  if (upstream[putBody] === undefined) upstream.body = body.toStream();
  else upstream[putBody](body, false);
}
