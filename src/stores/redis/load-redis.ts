import type { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import { GatewayError } from "../../errors.ts";
import type { NodeRedis } from "./redis-client.ts";

/** A client that the gateway makes itself. */
export type OwnClient = NodeRedis &
  EventEmitter &
  Readonly<{ connect: () => Promise<unknown>; destroy: () => void; isReady: boolean }>;

type ClientOptions = Readonly<{
  url: string;
  disableOfflineQueue: boolean;
  socket: { connectTimeout: number; reconnectStrategy: (retries: number) => number };
}>;

/** The function of @redis/client that the gateway uses. */
type RedisPackage = Readonly<{ createClient: (options: ClientOptions) => OwnClient }>;

const load = createRequire(import.meta.url);

/** Loads @redis/client, which only those install who share a Redis. */
export function loadRedis(): RedisPackage {
  try {
    return load("@redis/client") as RedisPackage;
  } catch (error) {
    const { code } = error as Readonly<{ code?: unknown }>;
    if (code !== "MODULE_NOT_FOUND" && code !== "ERR_MODULE_NOT_FOUND") throw error;
    const message = "Counting in Redis needs the package @redis/client: npm install @redis/client";
    throw new GatewayError("peer-missing", message, { cause: error });
  }
}
