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
  return { headers: res.getHeaders(), statusCode, statusMessage, sendDate };
}

/** Gives a response its earlier head back: an error that replaces an answer carries nothing of that answer. */
export function restoreHead(res: ServerResponse, { headers, statusCode, statusMessage, sendDate }: KeptHead): void {
  for (const name of res.getHeaderNames()) if (headers[name] === undefined) res.removeHeader(name);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && res.getHeader(name) !== value) res.setHeader(name, value);
  }
  // Node takes the removal of `Date` for the wish to send none.
  Object.assign(res, { statusCode, statusMessage, sendDate });
}
