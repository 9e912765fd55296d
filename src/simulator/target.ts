import { escapeName } from "./service-name.ts";

/** Where a request goes: the parts of a URL, the path byte for byte. */
export type Target = Readonly<{
  url: string;
  isSecure: boolean;
  /** As the Host header has it. */
  authority: string;
  hostname: string;
  port: string;
  path: string;
}>;

/** What of a received request the target is made of. */
type Suffix = Readonly<{ path: string; query: string }>;

const endpointParts = /^(https?):\/\/([^/?#]+)(.*)$/is;

/** Joins endpoint, remaining path and query; undefined when the endpoint is no http(s) URL. */
export function makeTarget(endpoint: string, serviceName: string, suffix: Suffix): Target | undefined {
  const [, scheme, authority, endpointPath] = endpointParts.exec(withoutTrailingSlashes(endpoint)) ?? [];
  if (scheme === undefined || authority === undefined) return undefined;
  const origin = `${scheme}://${authority}`;
  if (!URL.canParse(origin)) return undefined;
  const { hostname, port } = new URL(origin);
  const path = `${endpointPath ?? ""}${remainingPath(suffix.path, serviceName)}${suffix.query && `?${suffix.query}`}`;
  return {
    url: `${origin}${path}`,
    isSecure: scheme.toLowerCase() === "https",
    authority,
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port,
    path,
  };
}

/** Only a name that stands in the path as it is written in a URL is cut off; `%2F` for its slash stays with the path. */
function remainingPath(path: string, serviceName: string): string {
  const suffix = path.slice(1);
  const escaped = escapeName(serviceName);
  const rest = suffix.startsWith(escaped) ? suffix.slice(escaped.length) : suffix;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

function withoutTrailingSlashes(endpoint: string): string {
  return endpoint.replace(/\/+$/, "");
}
