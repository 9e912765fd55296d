import type { Headers } from "../delegating-handler.ts";

/** What a header was before the gateway took something out of it, and what was left. */
type Shortened = Readonly<{ whole: Headers[string]; rest: Headers[string] }>;

/** A request of which is noted, by names in lower case, what the gateway has taken out of its headers. */
export type NotesOfShortened = { shortened?: Map<string, Shortened> };

/** Leaves a header what may travel on, and notes what it was: nobody else has changed it. */
export function shorten(headers: Headers, name: string, rest: Headers[string], request: NotesOfShortened): void {
  if (String(rest) === String(headers[name])) return;
  const whole = beforeShortened(headers, name, request)!;
  headers[name] = rest;
  (request.shortened ??= new Map<string, Shortened>()).set(name, { whole, rest });
}

/** A header as it would be if the gateway had taken nothing out of it; what code has set since is as it was set. */
export function beforeShortened(
  headers: Headers,
  name: string,
  { shortened }: NotesOfShortened,
): Headers[string] | undefined {
  const value = headers[name];
  const noted = shortened?.get(name);
  return noted !== undefined && String(noted.rest) === String(value) ? noted.whole : value;
}
