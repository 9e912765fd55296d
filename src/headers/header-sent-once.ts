import type { IncomingMessage } from "node:http";

/**
 * The value of a header that the client has sent once, by its name in lower case; undefined where it was sent twice or
 * never, or was taken from the request since. Node would make lists of all headers for `headersDistinct`.
 */
export function onlyLineOf(
  { headers, rawHeaders }: Pick<IncomingMessage, "headers" | "rawHeaders">,
  name: string,
): string | undefined {
  if (headers[name] === undefined) return undefined;
  let only: string | undefined;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index]!;
    if (sent.length !== name.length || sent.toLowerCase() !== name) continue;
    if (only !== undefined) return undefined;
    only = rawHeaders[index + 1]!;
  }
  return only;
}
