import "./refuse-old-node.ts";

export { redisStore, type RedisStoreOptions } from "./stores/redis/redis-store.ts";
export type { RedisClient } from "./stores/redis/redis-client.ts";
