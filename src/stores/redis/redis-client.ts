/** What a call of the script takes in `@redis/client`. */
type ScriptArguments = { keys: string[]; arguments: string[] };

/** What of a client, a cluster or a pool of `@redis/client` is used. */
export type NodeRedis = Readonly<{
  evalSha: (sha1: string, options: ScriptArguments) => Promise<unknown>;
  eval: (script: string, options: ScriptArguments) => Promise<unknown>;
  set: (key: string, value: Buffer, options: { expiration: { type: "PX"; value: number } }) => Promise<unknown>;
  incr: (key: string) => Promise<unknown>;
  get: (key: string) => Promise<unknown>;
  withCommandOptions: (options: never) => NodeRedis;
  isReady?: boolean;
}>;

/** What of a client or a cluster of ioredis is used. */
type IoRedis = Readonly<{
  evalsha: (sha1: string, keys: number, ...keysAndArguments: string[]) => Promise<unknown>;
  eval: (script: string, keys: number, ...keysAndArguments: string[]) => Promise<unknown>;
  set: (key: string, value: Buffer, unit: "PX", milliseconds: number) => Promise<unknown>;
  incr: (key: string) => Promise<unknown>;
  getBuffer: (key: string) => Promise<unknown>;
  status?: string;
}>;

/** A client for Redis that the user has made, and ends himself. */
export type RedisClient = NodeRedis | IoRedis;

/** A script as Redis knows it. */
type Script = Readonly<{ source: string; sha1: string }>;

/** The same few commands, whatever the client. */
export type RedisCommands = Readonly<{
  run: (script: Script, keys: string[], values: string[]) => Promise<unknown>;
  get: (key: string) => Promise<unknown>;
  set: (key: string, value: Buffer, milliseconds: number) => Promise<unknown>;
  increase: (key: string) => Promise<unknown>;
}>;

/** Speaks to a client; undefined where it looks like none that is known. */
export function commandsOf(client: RedisClient): RedisCommands | undefined {
  if (typeof client !== "object" || (client as unknown) === null) return undefined;
  if ("evalSha" in client && typeof client.evalSha === "function") return onlyWhenReady(client, speakNodeRedis(client));
  if ("evalsha" in client && typeof client.evalsha === "function") return onlyWhenReady(client, speakIoRedis(client));
  return undefined;
}

// How the protocol marks texts: what was stored comes back as the bytes that it is.
const typeMapping = { ["$".charCodeAt(0)]: Buffer };

function speakNodeRedis(client: NodeRedis): RedisCommands {
  // Nobody waits that long, and the client would make a timer and an abort signal for each command.
  const plain = client.withCommandOptions({ timeout: undefined, typeMapping } as never);
  return {
    run({ source, sha1 }, keys, values) {
      const options = { keys, arguments: values };
      return plain.evalSha(sha1, options).catch(retryUnknown(() => plain.eval(source, options)));
    },
    get: (key) => plain.get(key),
    set: (key, value, milliseconds) => plain.set(key, value, { expiration: { type: "PX", value: milliseconds } }),
    increase: (key) => plain.incr(key),
  };
}

function speakIoRedis(client: IoRedis): RedisCommands {
  return {
    run({ source, sha1 }, keys, values) {
      const rest = [...keys, ...values];
      return client
        .evalsha(sha1, keys.length, ...rest)
        .catch(retryUnknown(() => client.eval(source, keys.length, ...rest)));
    },
    get: (key) => client.getBuffer(key),
    set: (key, value, milliseconds) => client.set(key, value, "PX", milliseconds),
    increase: (key) => client.incr(key),
  };
}

/** A Redis that was started anew has forgotten its scripts. */
function retryUnknown(again: () => Promise<unknown>): (error: unknown) => Promise<unknown> {
  return function sendSource(error) {
    if (error instanceof Error && error.message.startsWith("NOSCRIPT")) return again();
    throw error;
  };
}

/** A client without a connection keeps commands for later, when nobody waits for them any more. */
function onlyWhenReady(
  client: Readonly<{ isReady?: boolean; status?: string }>,
  commands: RedisCommands,
): RedisCommands {
  const whenReady = <Args extends unknown[]>(send: (...args: Args) => Promise<unknown>) => {
    return async function sendWhenReady(...args: Args): Promise<unknown> {
      if (client.isReady === false || (client.status ?? "ready") !== "ready") throw notConnected();
      return send(...args);
    };
  };
  return {
    run: whenReady(commands.run),
    get: whenReady(commands.get),
    set: whenReady(commands.set),
    increase: whenReady(commands.increase),
  };
}

function notConnected(): Error {
  return new Error("The client has no connection to Redis.");
}
