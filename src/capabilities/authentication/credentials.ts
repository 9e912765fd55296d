import type { IncomingMessage } from "node:http";
import type { Authenticator } from "./authenticator.ts";

/** Whether a request holds anything at one of the places that a scheme reads. */
export function hasCredential({ headers, url = "" }: IncomingMessage, { reads = {} }: Authenticator): boolean {
  const { headers: names = [], cookies = [], query = [] } = reads;
  if (names.some((name) => headers[name.toLowerCase()] !== undefined)) return true;
  if (cookies.some((name) => headers.cookie?.includes(`${name}=`))) return true;
  return query.some((name) => url.includes(`${name}=`));
}
