import type { OpenApiVersion } from "./reading/read-document.ts";

/** Where clients reach the gateway: a whole address, or a path where the document itself is. */
export type ServerAddress = Readonly<{ scheme?: string; host?: string; path: string }>;

/** Reads what was written as an address: a URL, or a host alone; undefined for anything else. */
export function readServerAddress(text: string): ServerAddress | undefined {
  const hasScheme = /^https?:\/\//i.test(text);
  const url = URL.parse(hasScheme ? text : `http://${text}`);
  if (url === null) return undefined;
  if ([url.username, url.password, url.search, url.hash].some((part) => part !== "")) return undefined;
  const path = withoutLastSlash(url.pathname);
  return { host: url.host, path, ...(hasScheme ? { scheme: url.protocol.slice(0, -1) } : {}) };
}

/** Where clients reach the gateway as the configuration tells: an address that is written, else the path of `BaseUrl`. */
export function serverAddressOf(override: string | undefined, baseUrl: string | undefined): ServerAddress {
  const written = override === undefined ? undefined : readServerAddress(override);
  return written ?? { path: withoutLastSlash(URL.parse(baseUrl ?? "")?.pathname ?? "") };
}

/** The address as a document of OpenAPI 3 writes it; without a host it is relative to the document. */
export function formatServer({ scheme, host, path }: ServerAddress): string {
  if (host === undefined) return path === "" ? "/" : path;
  return `${scheme === undefined ? "" : `${scheme}:`}//${host}${path}`;
}

/** What an operation of a route names that is there for one host alone: that host; OpenAPI 2 has no word for it. */
export function serversOfHost(
  host: string | undefined,
  server: ServerAddress,
  version: OpenApiVersion,
): readonly Readonly<{ url: string }>[] | undefined {
  return host === undefined || version === "2.0" ? undefined : [{ url: formatServer({ ...server, host }) }];
}

function withoutLastSlash(path: string): string {
  return path.replace(/\/+$/, "");
}
