/** A request whose bytes are still to be put together. */
export type RequestParts = Readonly<{
  method?: string;
  target?: string;
  version?: string;
  host?: string;
  headers?: readonly string[];
  /** All that comes behind the head. */
  body?: string;
  /** What is said of the body may be wrong, so that a server has to wait for the rest of it. */
  mayWait?: true;
  /** Behind requests under way it cuts the connection: there is no order in which all could be answered. */
  switches?: true;
}>;

/** A place that a client controls, and the request that has a value there. */
export type ClientPlace = Readonly<{ name: string; put: (value: string) => RequestParts }>;

const json = "Content-Type: application/json";
const form = "Content-Type: application/x-www-form-urlencoded";
const upgrade = ["Connection: Upgrade", "Upgrade: websocket"];
const webSocket = [...upgrade, "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="];
const chunk = (text: string): string => (text === "" ? "" : `${text.length.toString(16)}\r\n${text}\r\n`);
const lengthOf = (text: string): string => `Content-Length: ${text.length}`;

/** Places in the request's target, by what stands around the value. */
const targets: Readonly<Record<string, (value: string) => string>> = {
  "token in the path": (value) => `/reset/${value}`,
  "token that middleware empties": (value) => `/emptied/${value}`,
  "code in the path": (value) => `/countries/${value}`,
  "key before another segment": (value) => `/keys/${value}/of/me`,
  "segment behind a key": (value) => `/keys/k/of/${value}`,
  "key that is the segment behind it, too": (value) => `/keys/${value}/of/${value}`,
  "partition key": (value) => `/partitions/${value}`,
  "application of a service": (value) => `/svc/${value}/Orders/x`,
  service: (value) => `/svc/Shop/${value}/x`,
  "path behind a service": (value) => `/svc/Shop/Orders/${value}`,
  "rest of a path": (value) => `/api/${value}`,
  "slashes of a path": (value) => `/api/${value}/`.replaceAll(/[^/]/g, "/"),
  "segment with literals": (value) => `/dashed/${value}-rrr-x`,
  "segment full of literals": (value) => `/dashed/${"-rrr".repeat(value.length / 4)}`,
  "path of a route with limits": (value) => `/lean/${value}`,
  "path that no route has": (value) => `/nowhere/${value}`,
  "path of the inspector": (value) => `/_gateway/${value}`,
  "query of the inspector": (value) => `/_gateway/routes?${value}`,
  "whole target": (value) => value,
  "authority of the target": (value) => `http://${value}/api/x`,
  query: (value) => `/api/x?${value}`,
  "name of a parameter": (value) => `/api/x?${value}=1`,
  "value of a parameter": (value) => `/api/x?a=${value}`,
  "value of a parameter named like a secret": (value) => `/api/x?api_key=${value}&code=${value}`,
  "captured parameters": (value) => `/find?token=${value}&code=${value}`,
  "query behind captured parameters": (value) => `/find?token=1&code=1${value}`,
  "captured parameter that is repeated": (value) =>
    `/find?code=1${"&token=1".repeat(Math.min(value.length / 8, 1_000))}`,
  "rest of a query": (value) => `/rest?${value}`,
  parameters: (value) => `/rest?${"a&".repeat(value.length / 2)}`,
};

/** Headers whose whole value is the client's. */
const headerNames = [
  ...["Cookie", "Authorization", "X-Request-Id", "X-Token", "Traceparent", "Tracestate", "Baggage", "User-Agent"],
  ...["X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Prefix", "Forwarded", "X_Forwarded_For"],
  ...["Connection", "TE", "Trailer", "Upgrade", "Via", "Referer", "Origin", "Range", "If-None-Match", "Accept"],
  ...["Accept-Encoding", "Accept-Language", "Content-Type", "Content-Encoding", "X-HTTP-Method-Override", "X-Any"],
];

/** Those that change what the bytes behind the head mean. */
const framingNames = ["Content-Length", "Transfer-Encoding", "Expect"];

/** Every place that a client controls. */
export const clientPlaces: readonly ClientPlace[] = [
  ...Object.entries(targets).map(([name, target]) => ({ name, put: (value: string) => ({ target: target(value) }) })),
  ...headerNames.map((name) => ({
    name: `header ${name}`,
    put: (value: string) => ({ target: name === "X-Token" ? "/mine" : "/api/x", headers: [`${name}: ${value}`] }),
  })),
  ...framingNames.map((name) => ({
    name: `header ${name}`,
    put: (value: string) => ({
      ...{ method: "POST", headers: [`${name}: ${value}`], body: "0\r\n\r\n" },
      mayWait: true as const,
    }),
  })),
  { name: "method", put: (value) => ({ method: value }) },
  { name: "version", put: (value) => ({ version: `HTTP/1.${value}` }) },
  { name: "host", put: (value) => ({ host: value }) },
  { name: "host of a route", put: (value) => ({ host: `tenant.example:${value}`, target: "/hosted/x" }) },
  { name: "name of a header", put: (value) => ({ headers: [`X-${value}: 1`] }) },
  { name: "cookies", put: (value) => ({ headers: [`Cookie: ${"a=b; ".repeat(value.length / 5)}`] }) },
  {
    name: "headers",
    put: (value) => ({ headers: Array<string>(Math.ceil(value.length / 16)).fill(`X-R: ${value[0]}`) }),
  },
  {
    name: "names in Connection",
    put: (value) => ({ headers: [`Connection: ${"a,".repeat(value.length / 2)}`, "A: 1"] }),
  },
  { name: "body", put: (value) => ({ method: "POST", headers: [lengthOf(value)], body: value }) },
  { name: "body of a route with limits", put: (value) => post("/small/x", value, lengthOf(value)) },
  { name: "JSON", put: (value) => post("/api/x", JSON.stringify({ value }), json) },
  { name: "JSON that is none", put: (value) => post("/api/x", `{${value}`, json) },
  { name: "arrays in JSON", put: (value) => post("/api/x", "[".repeat(value.length), json) },
  { name: "form", put: (value) => post("/api/x", `a=${value}`, form) },
  { name: "nested form", put: (value) => post("/api/x", `a${"[b]".repeat(value.length / 3)}=1`, form) },
  { name: "chunked body", put: (value) => chunked(`${chunk(value)}0\r\n\r\n`) },
  {
    name: "chunks of one byte",
    put: (value) => chunked(`${"1\r\na\r\n".repeat(Math.min(value.length / 4, 500))}0\r\n\r\n`),
  },
  { name: "size of a chunk", put: (value) => ({ ...chunked(`${value}\r\nabc\r\n0\r\n\r\n`), mayWait: true }) },
  { name: "extension of a chunk", put: (value) => chunked(`1;${value}\r\na\r\n0\r\n\r\n`) },
  { name: "name of a trailer", put: (value) => chunked(`1\r\na\r\n0\r\nX-${value}: 1\r\n\r\n`) },
  { name: "value of a trailer", put: (value) => chunked(`1\r\na\r\n0\r\nX-T: ${value}\r\n\r\n`) },
  { name: "room of a WebSocket", put: (value) => ({ target: `/socket/${value}`, headers: webSocket, switches: true }) },
  ...["Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions", "Origin", "Cookie", "X-Request-Id"].map((name) => ({
    name: `header ${name} of a WebSocket`,
    put: (value: string): RequestParts => ({
      target: "/socket/x",
      headers: [...webSocket, `${name}: ${value}`],
      switches: true,
    }),
  })),
  ...["Sec-WebSocket-Key", "Sec-WebSocket-Version"].map((name) => ({
    name: `header ${name} of a WebSocket`,
    put: (value: string): RequestParts => ({
      target: "/socket/x",
      headers: [...upgrade, `${name}: ${value}`],
      switches: true,
    }),
  })),
  {
    name: "other protocol to upgrade to",
    put: (value) => ({ headers: ["Connection: Upgrade, HTTP2-Settings", `Upgrade: ${value}`, "HTTP2-Settings: AAA"] }),
  },
  { name: "question to the inspector", put: (value) => post("/_gateway/explain", value, json) },
  { name: "token of the inspector", put: (value) => post("/_gateway/explain", "{}", `X-Waymark-Token: ${value}`) },
  { name: "method that is replaced", put: (value) => ({ target: `/as-delete/${value}` }) },
  { name: "path that a handler answers", put: (value) => ({ target: `/by-handler/${value}` }) },
];

function post(target: string, body: string, ...headers: readonly string[]): RequestParts {
  const framing = headers.some((line) => line.startsWith("Content-Length")) ? [] : [lengthOf(body)];
  return { method: "POST", target, headers: [...headers, ...framing], body };
}

function chunked(body: string): RequestParts {
  return { method: "POST", headers: ["Transfer-Encoding: chunked"], body };
}
