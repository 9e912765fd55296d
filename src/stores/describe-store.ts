import type { RedisConfig } from "./redis/redis-keys.ts";

const usualPrefix = "waymark";

/** Where a configuration keeps what several processes share, in words; undefined where it names no place. No password is in it. */
export function describeStore({ Redis: redis }: Readonly<{ Redis?: RedisConfig | undefined }>): string | undefined {
  if (redis === undefined) return undefined;
  const address = URL.canParse(redis.Url) ? ` at ${new URL(redis.Url).host}` : "";
  return `in Redis${address}, under names that begin with ${redis.Prefix ?? usualPrefix}`;
}
