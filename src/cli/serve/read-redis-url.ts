import { createSubstitute } from "../../config/read/fill-in-variables.ts";
import { isRedisUrl } from "../../stores/redis/redis-rules.ts";
import { type CommandIo, UsageError } from "../command.ts";

type RedisValues = Readonly<{ redis: string | undefined; env?: boolean | undefined }>;

/** Reads where Redis is. What was written may hold a password, and is never repeated. */
export function readRedisUrl({ redis, env = false }: RedisValues, { environment }: CommandIo): string | undefined {
  if (redis === undefined) return undefined;
  if (!env && redis.includes("${")) throw new UsageError("--redis holds ${…}: with --env, variables are put into it.");
  const url = env ? createSubstitute(environment, () => undefined)(redis, refuse) : redis;
  if (isRedisUrl(url)) return url;
  throw new UsageError(
    "--redis takes a URL such as redis://localhost:6379, or rediss://:${REDIS_PASSWORD}@host with --env.",
  );
}

function refuse({ message }: Readonly<{ message: string }>): void {
  throw new UsageError(`--redis: ${message}.`);
}
