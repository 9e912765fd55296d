import { hash } from "node:crypto";
import { GatewayError } from "../../errors.ts";
import { describeValue } from "../../options/describe-value.ts";
import { refuseUnknownOptions } from "../../options/refuse-unknown-options.ts";
import type { Store, Taken, Taking } from "../store.ts";
import { commandsOf, type RedisClient, type RedisCommands } from "./redis-client.ts";
import { argumentsOf, readAnswer, takeScript } from "./take-script.ts";

/** What {@link redisStore} takes. */
export type RedisStoreOptions = Readonly<{
  /** How all keys begin, `waymark` by default: gateways with the same one share their counts. */
  prefix?: string | undefined;
  /** How many seconds an answer may take, 0.05 by default: a Redis that takes longer counts as away. */
  timeout?: number | undefined;
}>;

/**
 * Makes a store in Redis over a client of yours: one of `@redis/client`, its clusters and pools, or of ioredis. You connect
 * it, and you end it.
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): Store {
  refuseUnknownOptions(options, { prefix: true, timeout: true }, "redisStore()");
  const { prefix = "waymark", timeout } = options;
  if (!isPrefix(prefix))
    throw wrongOption("prefix", "a text without { and }, which say where a cluster keeps a key", prefix);
  if (timeout !== undefined && !(timeout > 0)) throw wrongOption("timeout", "seconds above 0", timeout);
  const commands = commandsOf(client);
  if (commands === undefined) throw wrongClient(client);
  return {
    name: "Redis",
    take: (takings) => take(commands, prefix, takings),
    entries: {
      get: async (key) => readEntry(await commands.get(keyOf(prefix, key))),
      set: (key, entry, milliseconds) => commands.set(keyOf(prefix, key), entry, Math.max(1, Math.ceil(milliseconds))),
      increase: async (key) => Number(await commands.increase(keyOf(prefix, key))),
    },
    ...(timeout === undefined ? {} : { timeout }),
  };
}

async function take({ run }: RedisCommands, prefix: string, takings: readonly Taking[]): Promise<readonly Taken[]> {
  const keys = takings.map((taking) => countKey(prefix, taking));
  return readAnswer(await run(takeScript, keys, argumentsOf(takings)), takings);
}

function readEntry(found: unknown): Buffer | undefined {
  if (Buffer.isBuffer(found)) return found;
  if (found === null) return undefined;
  throw new TypeError("Redis has answered something else than bytes.");
}

const clientLetters = 22;

/** All keys of a route are in one place of a cluster, as one script takes of several; who the client is, nobody can read. */
function countKey(prefix: string, { route, group, client }: Taking): string {
  const who = hash("sha256", `${group}\0${client}`, "base64url").slice(0, clientLetters);
  return `${prefix}:{${route.replaceAll(/[{}]/g, "_")}}:${who}`;
}

function keyOf(prefix: string, key: string): string {
  return `${prefix}:${key}`;
}

function isPrefix(prefix: unknown): boolean {
  return typeof prefix === "string" && prefix !== "" && !/[{}]/.test(prefix);
}

function wrongOption(name: string, expected: string, value: unknown): GatewayError {
  const message = `Invalid option ${JSON.stringify(name)} of redisStore(): expected ${expected}, received ${describeValue(value)}.`;
  return new GatewayError("option-invalid", message);
}

function wrongClient(client: unknown): GatewayError {
  return new GatewayError(
    "option-invalid",
    `redisStore() takes a client of @redis/client or of ioredis, received ${describeValue(client)}: ` +
      "const client = await createClient({ url }).connect(); redisStore(client).",
  );
}
