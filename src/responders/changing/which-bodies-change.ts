import type { UpstreamResponse } from "../../delegating-handler.ts";
import { type Coding, findCoding } from "../../bodies/codings/content-coding.ts";
import { readCharset, readMediaType } from "../../bodies/media-type.ts";

/** Which bodies are decompressed: all that can be, or only those of JSON that is to be wrapped. */
export type DecompressScope = "all" | "wrapped";

/** What decides how a body is changed, besides the answer itself. */
type BodyRules = Readonly<{ method: string | undefined; wrapsJson: boolean; scope: DecompressScope }>;

/** How a body is changed; `charset` is that of a JSON to be wrapped. */
export type BodyPlan = Readonly<{ coding: Coding | undefined; charset: string | undefined }>;

// No body, a part of one, or the head of one that the client has.
const statusesLeftAlone: ReadonlySet<number> = new Set([204, 206, 304]);

/** Decides by the head of an answer how its body is changed; undefined when it passes as it is. */
export function planBody({ status, headers }: UpstreamResponse, rules: BodyRules): BodyPlan | undefined {
  if (rules.method === "HEAD" || statusesLeftAlone.has(status) || headers["content-length"] === "0") return undefined;
  const contentType = headers["content-type"];
  const mediaType = readMediaType(contentType);
  const isJson = mediaType === "application/json";
  if (mediaType === "text/event-stream" || (isJson && !rules.wrapsJson)) return undefined;
  const coding = findCoding(headers["content-encoding"]);
  if (coding === "foreign") return undefined;
  const charset = isJson ? readCharset(String(contentType)) : undefined;
  const isChanged = charset !== undefined || (coding !== undefined && rules.scope === "all");
  return isChanged ? { coding, charset } : undefined;
}
