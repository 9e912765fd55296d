import { defineSection, required, scalar, section, type ValuesOf } from "../../schema/key.ts";
import { seconds, text } from "../../schema/values.ts";

// A URL without a user and a password may be shown.
const harmlessUrl = /^[a-z][a-z\d+.-]*:\/\/[^@\s]*$/i;

const redisSection = defineSection(
  { name: "redis", heading: "Redis" },
  {
    Url: required(
      scalar(text, {
        isSecret: { unless: harmlessUrl },
        type: "URL, `redis:` or `rediss:`",
        means: "Where Redis is; a password as `${VARIABLE}`. `rediss:` is with TLS",
        otherwise: "an error",
        examples: ["redis://localhost:6379", "rediss://:${REDIS_PASSWORD}@redis.example.org:6380"],
        problems: ["redis-invalid", "secret-literal", "secret-unexpanded"],
      }),
    ),
    Prefix: scalar(text, {
      type: "text",
      means: "How all keys begin: gateways with the same one count together",
      otherwise: "`waymark`",
      examples: ["shop"],
      problems: ["redis-invalid"],
    }),
    Timeout: scalar(seconds, {
      type: "seconds",
      means: "How long an answer of Redis may take; after that it counts as away",
      otherwise: "0.05",
      examples: [0.02],
      absent: "zero",
    }),
  },
);

/** What is written about Redis. */
export type RedisConfig = ValuesOf<(typeof redisSection)["keys"]>;

/** Where the processes of several machines keep what they share. */
export const redisKeys = {
  global: {
    Redis: section(redisSection, {
      type: "object",
      means: "The Redis in which several machines count together; see [Stores](stores.md)",
      otherwise: "each machine counts for itself",
    }),
  },
} as const;
