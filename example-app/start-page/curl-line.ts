import type { ExampleRequest } from "./chapter.ts";

/** A request as a line for the terminal; in a user's name, a first curl hands the second one the token. */
export function curlLine(request: ExampleRequest, gatewayUrl: string): string {
  const { path, method, headers = {}, body, host, as } = request;
  const url = new URL(gatewayUrl);
  const hostHeader = host === undefined ? {} : { Host: host };
  return [
    ...(as === undefined ? [] : [`curl -s ${quote(`${url.origin}/token/${as}`)} |`]),
    "curl -i",
    ...(as === undefined ? [] : ["-H @-"]),
    ...(method === undefined ? [] : [`-X ${method}`]),
    ...Object.entries({ ...hostHeader, ...headers }).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quote(body)}`]),
    quote(`${url.origin}${url.pathname}${path}`),
  ].join(" ");
}

// Double quotes: the one kind that every shell knows. None of the examples holds a character that is special inside.
function quote(text: string): string {
  return `"${text}"`;
}
