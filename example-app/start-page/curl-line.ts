import type { ExampleRequest } from "./examples.ts";

/** A request as a line for the terminal. */
export function curlLine({ path, method, headers = {}, body, host }: ExampleRequest, gatewayUrl: string): string {
  const url = new URL(gatewayUrl);
  const hostHeader = host === undefined ? {} : { Host: host };
  return [
    "curl -i",
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
