const httpSchemes: Readonly<Record<string, string>> = { http: "http", https: "https", ws: "http", wss: "https" };
const defaultPorts: Readonly<Record<string, number>> = { http: 80, https: 443 };

/** The scheme of HTTP that a scheme travels over: `https` for `wss`. */
export function httpSchemeOf(scheme: string): string {
  return httpSchemes[scheme] ?? scheme;
}

/** The scheme of HTTP that a written scheme travels over; undefined where none is written. */
export function plainScheme(scheme: string | undefined): "http" | "https" | undefined {
  if (scheme === undefined) return undefined;
  return httpSchemeOf(scheme) === "https" ? "https" : "http";
}

/** Whether a scheme travels over TLS. */
export function isSecure(scheme: string | undefined): boolean {
  return scheme !== undefined && httpSchemeOf(scheme) === "https";
}

/** Whether a scheme asks for a WebSocket. */
export function isWebSocketScheme(scheme: string | undefined): boolean {
  return scheme === "ws" || scheme === "wss";
}

/** The port of an `http` or `https` URL that names no port; undefined for other schemes. */
export function defaultPortOf(httpScheme: string): number | undefined {
  return defaultPorts[httpScheme];
}
