import { expectsContent } from "../../bodies/uploads/request-body.ts";
import type { OutgoingRequest } from "../../delegating-handler.ts";

/**
 * Whether an upstream may answer with a body that nobody reads, or leave one unread that was sent: on the same connection,
 * the one would be read as the next answer, and the other as the next request, which may be another client's.
 */
export function mayLeaveBytes(method: string, hasBody: boolean): boolean {
  return method === "HEAD" || (hasBody && !expectsContent.has(method));
}

const atStart = /^\s*(?:ntlm|negotiate|nego2|kerberos)\b/i;
const behindComma = /,\s*(?:ntlm|negotiate|nego2|kerberos)\b/i;

/**
 * Whether an upstream may know its client by the connection from then on, as the authentication of Windows does (RFC 4559):
 * the next request on it, which may be another client's, would be answered as this one's.
 */
export function mayProveConnection({ authorization }: OutgoingRequest["headers"]): boolean {
  if (authorization === undefined) return false;
  const text = String(authorization);
  // Most are a long token, which need not be looked through.
  return atStart.test(text) || (text.includes(",") && behindComma.test(text));
}
