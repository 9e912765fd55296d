import type { SectionName } from "./known-keys.ts";

/** What a key means, what holds without it (`code` where it is a value), and perhaps what it may look like. */
export type KeyDescription = readonly [meaning: string, otherwise: string, examples?: readonly unknown[]];

/** What is said of each key, in editors and in docs/configuration.md, whose rows have the same words. */
export const keyDescriptions: Readonly<Record<SectionName, Readonly<Record<string, KeyDescription>>>> = {
  root: {
    Routes: ["The routes, in order", "none"],
    GlobalConfiguration: ["What holds for all routes", "none"],
    Extensions: ["Yours; never looked at", "none"],
  },
  route: {
    Key: ["The name of the route in logs, errors and `gateway.routes`", "the index"],
    UpstreamPathTemplate: [
      "What a client's path, and query, look like; see routing",
      "required",
      ["/orders/{id}", "/shop/{everything}"],
    ],
    UpstreamHttpMethod: ["The methods that the route takes", "all but TRACE and CONNECT", [["GET", "POST"]]],
    UpstreamHost: [
      "The host that the client must ask for, with its port only if written here",
      "any host",
      ["api.example.org"],
    ],
    UpstreamHeaderTemplates: [
      "Headers that must be there and match; their placeholders are the route's",
      "none",
      [{ "X-Tenant": "{tenant}" }],
    ],
    RouteIsCaseSensitive: ["Whether literal text in the path is compared with case", "`false`"],
    Priority: ["Routes with a higher one are tried first", "1 (`/{x}`: always 0)"],
    DownstreamPathTemplate: [
      "The path, and query, that is asked downstream",
      "required",
      ["/api/orders/{id}", "/{everything}"],
    ],
    DownstreamScheme: ["The scheme downstream", "`http`"],
    DownstreamHostAndPorts: [
      "Where the route goes, if it has no `ServiceName`",
      "none",
      [[{ Host: "localhost", Port: 5001 }]],
    ],
    DownstreamHttpMethod: ["The method that is used downstream", "the client's"],
    ServiceName: ["The service that the naming service looks up: application, `/`, service", "none", ["Shop/Orders"]],
    LoadBalancerOptions: ["How one of several hosts is chosen", "global, else the first host"],
    Timeout: ["How long the answer may take, from the last byte of the request to its header", "global, else 90"],
    RequestIdKey: ["The header that carries the request's id", "global, else none", ["X-Request-Id"]],
    ClientParameters: [
      "Which parameters of the naming service clients may send",
      "all",
      [["PartitionKind", "PartitionKey"]],
    ],
    Limits: ["Limits of the route", "global, else the gateway's option"],
    AllowUpgrade: ["Whether WebSockets may pass", "by the scheme"],
    AllowedOrigins: ["Which pages may open WebSockets", "global, else any", [["https://app.example.org"]]],
    Tls: ["Certificates toward the downstream", "the provider's, else global"],
    DangerousAcceptAnyServerCertificateValidator: ["Whether any certificate of the downstream will do", "`false`"],
    Metadata: ["Data of your own, read by `getMetadata`; any JSON value becomes a text", "none"],
    Extensions: ["Yours; in `route.config` as it was written", "none"],
  },
  host: {
    Host: ["A host name or an address", "required"],
    Port: ["The port", "that of the scheme"],
  },
  loadBalancer: {
    Type: ["The first host, each in turn, or the one with the fewest open requests", "`NoLoadBalancer`"],
  },
  limits: {
    Body: ["The longest request body (413)", "none"],
    Url: ["The longest URL (414)", "8192"],
    Header: ["The largest header (431)", "the server's"],
    Concurrent: ["Requests at the same time (503)", "none"],
    Connect: ["How long a connection may take (504)", "5"],
    Upload: ["How long an upload may stand still (408)", "60"],
    Sockets: ["WebSockets at the same time (503)", "none"],
    Idle: ["How long a WebSocket may be silent before it is closed", "none"],
  },
  tls: {
    Ca: ["Whom to trust", "the system's authorities"],
    Cert: ["The gateway's own certificate", "none"],
    Key: ["The key of the certificate", "none"],
    ServerName: ["The name that the downstream's certificate must have", "the host"],
  },
  global: {
    BaseUrl: [
      "The gateway's own address; offered as `config.baseUrl`, it changes nothing",
      "none",
      ["https://api.example.org"],
    ],
    RequestIdKey: ["The header that carries the request's id, for routes without one", "none", ["X-Request-Id"]],
    ServiceDiscoveryProvider: ["The naming service", "none"],
    Metadata: ["Metadata of all routes; a route's own values go over it", "none"],
    MetadataOptions: ["How metadata are read", "see below"],
    Timeout: ["How many seconds an answer may take, for routes without their own", "90"],
    LoadBalancerOptions: ["How one of several hosts is chosen, for routes without their own", "the first host"],
    Limits: ["Limits of each route without its own", "the gateway's option"],
    AllowedOrigins: [
      "Which pages may open WebSockets, for routes without their own",
      "any",
      [["https://app.example.org"]],
    ],
    Tls: ["Certificates toward the downstream, for routes without their own", "the system's authorities"],
    Extensions: ["Yours; never looked at", "none"],
  },
  provider: {
    Type: ["Two names of the same provider", "required"],
    Host: ["Where the naming service is", "`localhost`"],
    Port: ["Its port", "19081"],
    Scheme: ["Its scheme, where the route does not say `https` or `wss`", "`http`"],
    AllowServiceNameParameter: [
      "Whether a client may send a parameter `ServiceName`, which overrides the route",
      "`false`",
    ],
    ClientParameters: [
      "Which of its parameters clients may send, for routes without their own",
      "all",
      [["PartitionKind", "PartitionKey"]],
    ],
    Tls: ["Certificates toward the naming service", "global"],
  },
  options: {
    CurrentCulture: ['How numbers are written; `""` is the invariant culture', "that of the process", ["en-GB", ""]],
    NumberStyle: ["What numbers may look like", "`Any`"],
    Separators: ["Where lists are split", '`[","]`'],
    StringSplitOption: ["What happens to empty parts", "`None`"],
    TrimChars: ["What is trimmed off each part", '`[" "]`'],
  },
};
