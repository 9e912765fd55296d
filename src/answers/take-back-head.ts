import type { ServerResponse } from "node:http";

/** What Node keeps of a head that it has made (seen in 20 to 24): the text, whether it has left, and what it has read off it. */
type MadeHead = {
  _header?: string | null;
  readonly _headerSent?: boolean;
  _hasBody?: boolean;
  _last?: boolean;
  chunkedEncoding: boolean;
};

/** Takes back a head that was made and has not left, so that another answer may have one of its own. */
export function takeBackHead(res: ServerResponse): void {
  const made = res as unknown as MadeHead;
  if (made._headerSent !== false || typeof made._header !== "string") return;
  made._header = null;
  made._hasBody = res.req.method !== "HEAD";
  made._last = false;
  made.chunkedEncoding = false;
}
