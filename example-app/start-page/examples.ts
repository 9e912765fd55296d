import type { Chapter } from "./chapter.ts";
import { whoMayComeIn } from "./who-may-come-in.ts";

/** Everything there is to try, in the order of gateway.json. */
export const chapters: readonly Chapter[] = [
  {
    title: "Services by name",
    about: "These routes know a service by its name. The naming service knows where it runs.",
    examples: [
      {
        route: "catalog",
        title: "A stateless service",
        about: "Any instance can answer. Ask a few times to see both.",
        requests: [
          { path: "/catalog/42", shows: "the placeholder is filled in" },
          {
            path: "/catalog/books/poetry?page=2",
            shows: "the last placeholder spans segments, the query passes untouched",
          },
          { path: "/catalog", shows: "the last placeholder may be empty" },
        ],
      },
      {
        route: "accounts",
        title: "A stateful service",
        about: "Its data are spread over two partitions. The client says which key it means.",
        requests: [
          { path: "/accounts/42?PartitionKind=Int64Range&PartitionKey=42", shows: "the partition of 0 to 499" },
          { path: "/accounts/900?PartitionKind=Int64Range&PartitionKey=900", shows: "the partition of 500 to 999" },
          { path: "/accounts/42", shows: "without a key the naming service refuses; the gateway passes that on" },
          {
            path: "/accounts/42?TargetReplicaSelector=RandomReplica",
            shows: "a parameter that this route does not let through",
          },
        ],
      },
      {
        route: "reports",
        title: "A guest executable",
        about: "A program that knows nothing of the cluster it runs in.",
        requests: [{ path: "/reports/2026/november.pdf", shows: "slashes and dots arrive as they were sent" }],
      },
      {
        route: "versions",
        title: "A placeholder in the service name",
        about: "The path says which service answers.",
        requests: [
          { path: "/api/v1/status", shows: "Service_v1/Api" },
          { path: "/api/v2/status", shows: "Service_v2/Api" },
          { path: "/api/v3/status", shows: "no such service: the naming service says so" },
          { path: "/api/v2%2FAdmin/status", shows: "a value that would leave its place is refused" },
        ],
      },
      {
        route: "ticker",
        title: "A live service",
        about: "It counts the seconds. A WebSocket gets every number, an ordinary request the present one.",
        requests: [
          { path: "/ticker", listens: true, shows: "a counter that ticks" },
          { path: "/ticker", shows: "the same route, asked once" },
        ],
      },
      {
        route: "stock",
        title: "A registry",
        about:
          "It tells the gateway where the service runs. Instances come and go every three seconds: ask a few times.",
        requests: [{ path: "/stock/7", shows: "one of the instances that are there" }],
      },
      {
        route: "ratings",
        title: "A dynamic route",
        about: "The first segment of the path is the service, and the rest the path.",
        requests: [
          { path: "/ratings/42?stars=5", shows: "no template was written for it" },
          { path: "/orders/42", shows: "a service that is not listed" },
        ],
      },
    ],
  },
  {
    title: "Which route matches",
    about: "Method and path decide, and where a route asks for it, query, header and host too.",
    examples: [
      {
        route: "specials",
        title: "Priority and case",
        about: "Goes before the catalog because of its priority, and is exact about upper and lower case.",
        requests: [
          { path: "/catalog/specials", shows: "today's offers" },
          { path: "/catalog/Specials", shows: "an item of the catalog" },
        ],
      },
      {
        route: "search",
        title: "A query in the template",
        about: "q is captured and moved; what else the client sends follows.",
        requests: [{ path: "/search?q=tea%20pot&page=2", shows: "q arrives as text" }],
      },
      {
        route: "tenant",
        title: "A header decides",
        about: "The header's placeholder becomes a part of the path.",
        requests: [{ path: "/profile", headers: { "X-Tenant": "acme" }, shows: "X-Tenant: acme" }],
      },
      {
        route: "anyone",
        title: "Two routes, one path",
        about:
          "Without a matching host the general route answers; it adds a header to the request, and one to the answer.",
        requests: [{ path: "/whoami", shows: "the general route" }],
      },
      {
        route: "admin-host",
        title: "A host decides",
        about: "The same path under another host name is another route, for clients at this machine only.",
        requests: [{ path: "/whoami", host: "admin.localhost", shows: "opens as admin.localhost" }],
      },
      {
        route: "overview",
        title: "Three routes at once",
        about: "An aggregate asks several services at the same time, and answers with one JSON object.",
        requests: [{ path: "/overview/42", shows: "a catalog item, one of two hosts, and a page as text" }],
      },
      {
        route: undefined,
        title: "No route",
        about: "A request that no route matches is left to the rest of the app.",
        requests: [{ path: "/nowhere", shows: "the app answers, not the gateway" }],
      },
    ],
  },
  {
    title: "How a request is sent",
    about: "Hosts, methods, limits and time.",
    examples: [
      {
        route: "turns",
        title: "Hosts take turns",
        about: "Two fixed hosts, RoundRobin. Ask twice.",
        requests: [{ path: "/turns", shows: "first the one, then the other" }],
      },
      {
        route: "quota",
        title: "A rate limit",
        about: "Three requests in ten seconds; the headers tell how many are left.",
        requests: [{ path: "/quota", shows: "the fourth one: 429" }],
      },
      {
        route: "prices",
        title: "A cached answer",
        about: "The service is asked once in ten seconds. Age says how old the answer is.",
        requests: [{ path: "/prices/tea", shows: "the second one comes from the cache" }],
      },
      {
        route: "notes",
        title: "Another method, a limited body",
        about: "POST here, PUT downstream, 100 bytes at most.",
        requests: [
          {
            path: "/notes",
            method: "POST",
            body: "Buy tea.",
            headers: { "Content-Type": "text/plain" },
            shows: "a short note",
          },
          {
            path: "/notes",
            method: "POST",
            body: "Buy tea. ".repeat(20),
            headers: { "Content-Type": "text/plain" },
            shows: "a note of 180 bytes: 413",
          },
        ],
      },
      {
        route: "slow",
        title: "A time limit",
        about: "The service takes three seconds, the route waits for one.",
        requests: [{ path: "/slow", shows: "504 after a second" }],
      },
      {
        route: "echo",
        title: "A WebSocket",
        about: "It passes through the whole app: mount path, middleware and gateway.",
        requests: [{ path: "/echo", says: "Hello?", shows: "what you say comes back" }],
      },
    ],
  },
  whoMayComeIn,
  {
    title: "Metadata",
    about: "Free texts on a route that your own code reads, typed: between matching and sending, and around the call.",
    examples: [
      {
        route: "admin",
        title: "A middleware reads a list",
        about: 'roles is "admin, support"; the middleware compares it with the header X-Roles.',
        requests: [
          { path: "/admin/users", shows: "no role: 403, and nothing is sent" },
          { path: "/admin/users", headers: { "X-Roles": "support" }, shows: "with the role support" },
        ],
      },
      {
        route: "plugin",
        title: "A switch, an object and a number",
        about: "The middleware sets two headers from metadata; a delegating handler sets Cache-Control on the answer.",
        requests: [{ path: "/plugins/lights", shows: "X-Plugin-Level and X-Plugin-Tags arrive" }],
      },
    ],
  },
  {
    title: "Answers",
    about: "A responder sends the metadata along: in a header always, around JSON where the route wants it.",
    examples: [
      {
        route: "json",
        title: "JSON",
        about: "Wrapped as a stream: the big number and the repeated member survive.",
        requests: [{ path: "/answers/json", shows: "Response and Metadata" }],
      },
      {
        route: "json-brotli",
        title: "JSON in Brotli",
        about: "Decompressed on its way, then wrapped.",
        requests: [{ path: "/answers/json-brotli", shows: "Content-Encoding: identity" }],
      },
      {
        route: "json-gzip",
        title: "JSON in gzip",
        about: "Decompressed on its way, then wrapped.",
        requests: [{ path: "/answers/json-gzip", shows: "Content-Encoding: identity" }],
      },
      {
        route: "json-zstd",
        title: "JSON in Zstandard",
        about: "Decompressed on its way, then wrapped.",
        requests: [{ path: "/answers/json-zstd", shows: "Content-Encoding: identity" }],
      },
      {
        route: "json-deflate",
        title: "JSON in deflate",
        about: "The one coding that passes untouched.",
        requests: [{ path: "/answers/json-deflate", shows: "Content-Encoding: deflate" }],
      },
      {
        route: "json-as-it-is",
        title: "JSON as it is",
        about:
          "disableMetadataJson keeps the original bytes, compressed as they were; the header still tells the metadata.",
        requests: [{ path: "/answers/json-as-it-is", shows: "Content-Encoding: gzip, nothing around it" }],
      },
      {
        route: "html",
        title: "HTML",
        about: "Not JSON: only the header is added.",
        requests: [{ path: "/answers/html", shows: "the page as it is" }],
      },
      {
        route: "binary",
        title: "A binary file",
        about: "Not JSON: only the header is added.",
        requests: [{ path: "/answers/binary", shows: "256 bytes, each value once" }],
      },
    ],
  },
];
