import { type GatewayConfig, globalConfigOf } from "../../config/gateway-config.ts";
import { connectRedis } from "../../stores/redis/connect-redis.ts";
import { effectiveRedis } from "../../stores/store-holder.ts";
import { UsageError } from "../command.ts";
import type { ServeSettings } from "./settings.ts";

const reasons: readonly (readonly [found: RegExp, reason: string])[] = [
  [/ECONNREFUSED/, "nobody listens there"],
  [/ENOTFOUND|EAI_AGAIN/, "there is no such host"],
  [/NOAUTH/, "it asks for a password"],
  [/WRONGPASS|AUTH failed/i, "the user or the password is wrong"],
  [/certificate|self-signed|TLS|SSL/i, "no connection by TLS came to be"],
  [/timeout|no answer/i, "it gives no answer"],
];

/** Sees at the start whether the Redis can be used that is to be shared: a wrong address would only show in the counts. */
export async function requireRedis(config: GatewayConfig, { redis: url }: ServeSettings): Promise<void> {
  const settings = effectiveRedis(globalConfigOf(config)?.Redis, url);
  if (settings === undefined) return;
  const connection = connectRedis(settings);
  const failure = await connection.begun;
  connection.close();
  // Its words may repeat what stands in the address.
  if (failure !== undefined)
    throw new UsageError(`Cannot use Redis at ${new URL(settings.Url).host}: ${reasonOf(failure)}.`);
}

function reasonOf(failure: Error): string {
  const words = [failure.name, failure.message, (failure as NodeJS.ErrnoException).code ?? ""].join(" ");
  return reasons.find(([found]) => found.test(words))?.[1] ?? "the connection failed";
}
