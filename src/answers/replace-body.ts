import type { AnswerBody } from "../bodies/answer-body.ts";
import { putBody, type AnyResponse } from "./upstream-response.ts";
import type { UpstreamResponse } from "../delegating-handler.ts";

// These headers speak of the bytes of the old body; its length and coding go with the body itself.
const headersOfOldBytes = ["accept-ranges", "content-md5", "digest", "content-digest", "repr-digest"];

/** Gives an answer a body with the same meaning in other bytes. */
export function replaceBody(upstream: UpstreamResponse, body: AnswerBody): void {
  const { etag } = upstream.headers;
  assign(upstream, body);
  for (const name of headersOfOldBytes) delete upstream.headers[name];
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
