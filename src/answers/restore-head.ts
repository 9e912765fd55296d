import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

/** What stood on a response before an answer was written to it. */
export type KeptHead = Readonly<{
  headers: OutgoingHttpHeaders;
  statusCode: number;
  statusMessage: string;
  sendDate: boolean;
}>;

/** Keeps what earlier middleware has set on a response. */
export function keepHead(res: ServerResponse): KeptHead {
  const { statusCode, statusMessage, sendDate } = res;
  const headers = res.getHeaderNames().length === 0 ? none : res.getHeaders();
  return { headers, statusCode, statusMessage, sendDate };
}

const none: OutgoingHttpHeaders = {};

/** Gives a response its earlier head back: an error that replaces an answer carries nothing of that answer. */
export function restoreHead(res: ServerResponse, { headers, ...noted }: KeptHead): void {
  for (const name of res.getHeaderNames()) if (headers[name] === undefined) res.removeHeader(name);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && res.getHeader(name) !== value) res.setHeader(name, value);
  }
  // Node takes the removal of `Date` for the wish to send none.
  Object.assign(res, noted);
}
