import { createUpstreamResponse } from "../../answers/upstream-response.ts";
import { createWholeBody } from "../../bodies/whole-body.ts";
import type { Headers, OutgoingRequest, UpstreamResponse } from "../../delegating-handler.ts";
import { comparingHeaders } from "../../headers/precondition-names.ts";
import { joinLines } from "./cache-control.ts";
import { readHttpDate } from "./http-date.ts";
import { opaqueTag } from "./opaque-tag.ts";

/** What a client has already, and wants again only if it is another one. */
export type Preconditions = Readonly<{ noneMatch: string | undefined; modifiedSince: string | undefined }>;

/** Takes the conditions from a request: the whole answer is asked for, and the cache judges them. */
export function takePreconditions({ headers }: OutgoingRequest): Preconditions | undefined {
  const noneMatch = joinLines(headers["if-none-match"]);
  const modifiedSince = joinLines(headers["if-modified-since"]);
  if (noneMatch === undefined && modifiedSince === undefined) return undefined;
  for (const name of comparingHeaders) Reflect.deleteProperty(headers, name);
  return { noneMatch, modifiedSince };
}

/** Whether a client has an answer of this head already; dates count only where it names no tags. */
export function hasAlready(
  asked: Preconditions | undefined,
  { status, headers }: Pick<UpstreamResponse, "status" | "headers">,
): boolean {
  if (asked === undefined || status !== ok) return false;
  const { noneMatch, modifiedSince } = asked;
  if (noneMatch !== undefined) return matchesTag(noneMatch, headers.etag);
  const since = readHttpDate(modifiedSince);
  const modified = readHttpDate(joinLines(headers["last-modified"]));
  return since !== undefined && modified !== undefined && modified <= since;
}

const ok = 200;
const entityTag = /(?:W\/)?("[^"]*")/g;

/** Compares weakly, as RFC 9110 wants it for reading. */
function matchesTag(asked: string, etag: Headers[string] | undefined): boolean {
  if (asked.trim() === "*") return true;
  if (typeof etag !== "string") return false;
  const opaque = opaqueTag(etag);
  for (const [, tag] of asked.matchAll(entityTag)) if (tag === opaque) return true;
  return false;
}

// They describe a body that does not come.
const ofBody = /^(?:content-(?!location$).*|transfer-encoding|trailer)$/;

/** Makes the answer to a client that has the answer already. */
export function notModified({ headers: given }: Pick<UpstreamResponse, "headers">): UpstreamResponse {
  const headers = Object.fromEntries(Object.entries(given).filter(([name]) => !ofBody.test(name)));
  const declared = { length: undefined, status: 304, isHead: false };
  const source = { body: createWholeBody(Buffer.alloc(0)), declared, trailers: () => [] };
  return createUpstreamResponse({ status: 304, statusText: "Not Modified", headers }, source);
}
