import type { Instance } from "../../hosts/host.ts";
import { sleep } from "../../sleep.ts";
import type { InstanceFinder } from "../provider.ts";
import { restAfter } from "../../rest-after-work.ts";
import { isObject, type JsonObject } from "../../json/json-object.ts";
import type { RegistryClient } from "./registry-client.ts";

/** What is asked of Consul besides the service. */
type ConsulSettings = Readonly<{
  client: RegistryClient;
  token: () => Promise<string | undefined>;
  /** Whether the host is the node's name instead of an address. */
  usesNodeName: boolean;
  /** Whether Consul may hold an answer back until something changes. */
  mayBlock: boolean;
}>;

/** How many connections are kept to one Consul: an agent takes 200 of one client. */
export const mostConsulConnections = 150;

const mostBlocking = 100;
const blockingSeconds = 30;
const answerMilliseconds = 10_000;
// A Consul whose index runs on without need is not asked without end.
const leastBetween = 100;
// Nor is one that answers the same at once, and so does not block.
const leastBlocking = 1_000;

/**
 * Makes the finder that asks Consul for the healthy instances of a service, and then for whatever comes after: each such
 * question is answered when something changes. Beyond a hundred services the others are asked at intervals.
 */
export function createConsulFinder({ client, token, usesNodeName, mayBlock }: ConsulSettings): InstanceFinder {
  let blocking = 0;

  return async function findInConsul({ name }, update, signal) {
    let took = 0;
    let index: bigint | undefined = await ask(0n);
    if (!mayBlock || blocking >= mostBlocking) return;
    blocking += 1;
    try {
      while (index !== undefined && !signal.aborted) {
        await sleep(Math.max(leastBetween, restAfter(took)), signal);
        index = await ask(index);
      }
    } finally {
      blocking -= 1;
    }

    /** The index behind which the next question asks; undefined where there is none. */
    async function ask(since: bigint): Promise<bigint | undefined> {
      const blocks = since > 0n;
      const asked = performance.now();
      const answer = await client.ask({
        path: `/v1/health/service/${name}?passing${blocks ? `&index=${since}&wait=${blockingSeconds}s` : ""}`,
        headers: { "x-consul-token": await token() },
        // Consul adds up to a sixteenth to the time it waits.
        within: answerMilliseconds + (blocks ? blockingSeconds * 1_100 : 0),
        signal,
      });
      const next = readIndex(answer.headers["x-consul-index"]);
      const hasWaited = performance.now() - asked > leastBlocking;
      // After a restart it counts anew: what it has told by then may be of any time.
      if (next !== undefined && next < since) return ask(0n);
      took = answer.took + client.share.spend(() => update(readEntries(answer.json, usesNodeName)));
      return blocks && next === since && !hasWaited ? undefined : next;
    }
  };
}

function readIndex(header: string | readonly string[] | undefined): bigint | undefined {
  return typeof header === "string" && /^[1-9]\d{0,19}$/.test(header) ? BigInt(header) : undefined;
}

function readEntries(json: unknown, usesNodeName: boolean): readonly Instance[] {
  if (!Array.isArray(json) || !json.every(isObject)) throw new Error("Consul has answered no list of instances.");
  return json.map((entry) => readEntry(entry, usesNodeName));
}

/** What is no instance is passed over later, with everything that is not right about instances. */
function readEntry({ Node, Service }: JsonObject, usesNodeName: boolean): Instance {
  const node = isObject(Node) ? Node : {};
  const service = isObject(Service) ? Service : {};
  const address = isFilled(service.Address) ? service.Address : node.Address;
  return { host: usesNodeName ? node.Node : address, port: service.Port } as Instance;
}

function isFilled(text: unknown): boolean {
  return typeof text === "string" && text !== "";
}
