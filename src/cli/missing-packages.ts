import { loadJose } from "../capabilities/authentication/schemes/jwt/load-jose.ts";
import { type GatewayConfig, globalConfigOf } from "../config/gateway-config.ts";
import { GatewayError } from "../errors.ts";
import { loadRedis } from "../stores/redis/load-redis.ts";

/** What has to be installed for a configuration to start, in the words in which its start would say so. */
export function missingPackages(config: GatewayConfig): readonly string[] {
  const { AuthenticationSchemes: schemes = {}, Redis: redis } = globalConfigOf(config)!;
  const loads = [
    ...(Object.values(schemes).some(({ Type }) => Type === "Jwt") ? [loadJose] : []),
    ...(redis === undefined ? [] : [loadRedis]),
  ];
  return loads.flatMap(failureOf);
}

function failureOf(load: () => unknown): readonly string[] {
  try {
    load();
    return [];
  } catch (error) {
    if (error instanceof GatewayError) return [error.message];
    throw error;
  }
}
