import { defineSection, list, routeKeys, scalar, section, type ValuesOf, word } from "../../schema/key.ts";
import { flag, integer, oneOf, text, texts } from "../../schema/values.ts";

/** By what clients are told apart. */
export const limitedBy = ["Header", "Address", "Identity", "Route"] as const;

/** What is done while the store is away: each process counts for itself, or requests are refused. */
export const storeFailures = ["Count", "Refuse"] as const;

// Bounds are for rules: in a section that is switched off, tools write 0 and "".
const rateLimitSection = defineSection(
  { name: "rateLimits", heading: "RateLimitOptions", isLock: true },
  {
    Limit: scalar(integer, {
      type: "count",
      means: "How many requests a client may send in each `Period`",
      otherwise: "global",
      examples: [100],
      problems: ["limit-invalid", "limit-incomplete"],
      ocelot: "a missing one is refused, where Ocelot refuses every request; so is 0",
    }),
    Period: scalar(text, {
      type: "a number with `ms`, `s`, `m`, `h` or `d`",
      means: "How long a period is, from a client's first request on",
      otherwise: "global; `1s` where a global `Limit` stands",
      examples: ["500ms", "1s", "1.5m", "1h", "30d"],
      problems: ["limit-invalid", "limit-incomplete"],
      ocelot: "same; what Ocelot fails at for every request is refused",
    }),
    Wait: scalar(text, {
      type: "as `Period`; milliseconds without a unit",
      means: "How long a client is refused from its first refusal on, instead of until the end of the period",
      otherwise: "global, else the rest of the period",
      examples: ["10s"],
      problems: ["limit-invalid"],
      ocelot: "same; a period that is used up exactly ends all the same",
    }),
    By: word(oneOf(limitedBy, "limit-invalid"), {
      type: "Header, Address, Identity or Route",
      means:
        "By what clients are told apart: the header `ClientIdHeader`, their address, who they are, or not at all. See [Rate limits](rate-limits.md)",
      otherwise: "global, else `Header`",
      problems: ["limit-invalid", "lock-contradictory"],
    }),
    AddressLimit: scalar(integer, {
      type: "count",
      means: "How many requests may come from one address in each `Period`, whatever their header says",
      otherwise: "global, else any number",
      examples: [1000],
      problems: ["limit-invalid", "lock-contradictory"],
    }),
    ClientIdHeader: scalar(text, {
      type: "header name",
      means: "The header that names the client; a request without it counts by its address",
      otherwise: "global, else `Oc-Client`",
      examples: ["X-Api-Client"],
      problems: ["header-name-invalid"],
      ocelot: "a request without it is counted by its address, where Ocelot refuses it with 503",
    }),
    ClientWhitelist: list(texts, {
      type: "list of texts",
      means: "Clients that are not limited: what `By` says of them is one of these",
      otherwise: "global, else none",
      examples: [["monitoring"]],
      problems: ["lock-value-empty", "lock-contradictory"],
      ocelot: "a text for the list, and an empty entry, are refused",
    }),
    EnableRateLimiting: scalar(flag, {
      type: "boolean",
      means: "Whether the section holds",
      otherwise: "global, else `true`",
      ocelot: "a global `false` does not switch off what a route itself limits",
    }),
    EnableHeaders: scalar(flag, {
      type: "boolean",
      means: "Whether answers tell the limit: `X-RateLimit-Limit`, `-Remaining`, `-Reset` and `Retry-After`",
      otherwise: "global, else `true`",
      ocelot: "refusals have them too; `Retry-After` is a whole number",
    }),
    QuotaMessage: scalar(text, {
      type: "text",
      means: "What a refusal says; `{0}` is the limit, `{1}` the period",
      otherwise: "global, else `API calls quota exceeded! …`",
      examples: ["No more than {0} requests per {1}."],
      ocelot: "has a content type; a text with other braces, such as JSON, is sent as it stands",
    }),
    StatusCode: scalar(integer, {
      type: "400 to 599",
      means: "The status of a refusal",
      otherwise: "global, else `429`",
      problems: ["limit-invalid", "limit-status-replaced"],
      ocelot: "400 to 599; any other stops the start, and for all routes, as `999`, it is `429`",
    }),
    KeyPrefix: scalar(text, {
      type: "text",
      means: "How the names of counts begin in a store that others use as well",
      otherwise: "global, else `waymark`",
      examples: ["shop"],
      ocelot: "same",
    }),
    OnStoreFailure: word(oneOf(storeFailures, "limit-invalid"), {
      type: "Count or Refuse",
      means:
        "What is done while the store is away that processes share: each counts for itself, or requests are refused with 503",
      otherwise: "global, else `Count`",
      problems: ["limit-invalid"],
    }),
    RouteKeys: routeKeys,
  },
);

/** What is written about a rate limit. */
export type RateLimitConfig = ValuesOf<(typeof rateLimitSection)["keys"]>;

/** How often clients may ask. */
export const rateLimitKeys = {
  route: {
    RateLimitOptions: section(rateLimitSection, {
      type: "object",
      means: "How often clients may ask; see [Rate limits](rate-limits.md)",
      otherwise: "global",
      problems: ["lock-key-unknown"],
      ocelot: "counts are kept by client and route; WebSockets count as well",
      isLock: true,
    }),
  },
  global: {
    RateLimitOptions: section(rateLimitSection, {
      type: "object",
      means:
        "The same for all routes, key by key where a route does not say it; without `Limit` and `Period` defaults only",
      otherwise: "none",
      problems: ["lock-key-unknown"],
      ocelot: "without `Limit` and `Period` it limits nothing, where Ocelot refuses every request",
      isLock: true,
    }),
  },
} as const;
