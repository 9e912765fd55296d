import { defineSection, routeKeys, scalar, section, type ValuesOf, word } from "../../schema/key.ts";
import { byteCount, flag, integer, oneOf, secondsOrZero, text } from "../../schema/values.ts";

/** How long answers are kept: as the configuration says, or as they say themselves by RFC 9111. */
export const cacheModes = ["Ttl", "Rfc"] as const;

// Bounds are for rules: in a section that is switched off, tools write 0 and "".
const cacheSection = defineSection(
  { name: "cache", heading: "CacheOptions" },
  {
    TtlSeconds: scalar(integer, {
      type: "seconds",
      means: "How long an answer is given again without asking the service; 0 or less: not at all",
      otherwise: "global, else not at all",
      examples: [20],
      ocelot: "same; what answers and requests are kept is decided more carefully. See [Caching](caching.md)",
    }),
    Region: scalar(text, {
      type: "text",
      means: "A name by which the answers of several routes are thrown away together",
      otherwise: "global, else none",
      examples: ["catalogue"],
      ocelot: "same; thrown away by `gateway.cache.purge`",
    }),
    Header: scalar(text, {
      type: "header name",
      means: "A header whose every value has answers of its own, as it is sent to the service",
      otherwise: "global, else `OC-Cache-Control`",
      examples: ["Accept-Language"],
      problems: ["cache-invalid"],
      ocelot: "same; headers of bodies such as `Content-Type` count as well",
    }),
    EnableContentHashing: scalar(flag, {
      type: "boolean",
      means: "Whether answers to POST are kept, for each body of up to 64 KiB its own",
      otherwise: "global, else `false`",
      ocelot: "without it nothing but GET and HEAD is cached; `Content-Type` and `Content-Encoding` count as well",
    }),
    BeforeHandlers: scalar(flag, {
      type: "boolean",
      means:
        "Whether what is cached is what delegating handlers made, for all: for a hit they do not run, whoever asks",
      otherwise: "global, else `false`",
    }),
    Mode: word(oneOf(cacheModes, "cache-invalid"), {
      type: "Ttl or Rfc",
      means: "Whether `TtlSeconds` says how long an answer is kept, or the answer itself, as RFC 9111 has it",
      otherwise: "global, else `Ttl`",
      problems: ["cache-invalid", "word-blanks"],
    }),
    ErrorTtlSeconds: scalar(secondsOrZero, {
      type: "seconds",
      means: "How long answers 404 and 410 are kept at most",
      otherwise: "global, else `10`",
      examples: [2],
    }),
    MaxEntryBytes: scalar(byteCount, {
      type: "bytes",
      means: "The longest body that is kept",
      otherwise: "global, else `1048576`",
      examples: [65_536],
    }),
    By: word(oneOf(["Identity"], "cache-invalid"), {
      type: "Identity",
      means: "Gives each client that a scheme recognises answers of its own",
      otherwise: "global, else answers are for all; clients with credentials are never given any",
      problems: ["cache-invalid", "word-blanks"],
    }),
    RouteKeys: routeKeys,
  },
);

/** What is written about a cache. */
export type CacheConfig = ValuesOf<(typeof cacheSection)["keys"]>;

/** Whose answers are kept, and how long. */
export const cacheKeys = {
  route: {
    CacheOptions: section(cacheSection, {
      type: "object",
      means: "How long answers are given again without asking the service; see [Caching](caching.md)",
      otherwise: "global",
      ocelot: "no user gets another one's answer; see [Caching](caching.md). `FileCacheOptions` is read as this",
    }),
  },
  global: {
    CacheOptions: section(cacheSection, {
      type: "object",
      means: "The same for all routes, key by key where a route does not say it",
      otherwise: "none",
      ocelot: "same",
    }),
  },
} as const;
