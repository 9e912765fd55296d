import { expectsContent } from "../../bodies/request-body.ts";

/**
 * Whether an upstream may answer with a body that nobody reads, or leave one unread that was sent: on the same connection,
 * the one would be read as the next answer, and the other as the next request, which may be another client's.
 */
export function mayLeaveBytes(method: string, hasBody: boolean): boolean {
  return method === "HEAD" || (hasBody && !expectsContent.has(method));
}
