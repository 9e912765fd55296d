import { after, listenOnce } from "../../unattended/guarded.ts";
import {
  type Asked,
  createRegistryServer,
  type RegistryServerOptions,
  type RegistrySwitches,
  type Reply,
} from "./registry-server.ts";

/** An instance of a service as Consul knows it. */
export type ConsulInstance = Readonly<{
  /** Without one, that of the node counts. */
  address?: string | undefined;
  port: number;
  tags?: readonly string[] | undefined;
  /** The node's name and address, default `node-1` and `127.0.0.1`. */
  node?: Readonly<{ name?: string | undefined; address?: string | undefined }> | undefined;
  /** Whether its checks pass, default true: others are not told. */
  passing?: boolean | undefined;
}>;

/** A Consul on this machine, as far as finding services goes. */
export type ConsulSimulator = RegistrySwitches &
  Readonly<{
    /** Says where a service runs from now on; no instances at all is an answer, too. */
    setInstances: (service: string, instances: readonly ConsulInstance[]) => void;
    /** Forgets how far its index had come, as after a loss of its data. */
    restart: () => void;
  }>;

/** Options of {@link createConsulSimulator}. */
export type ConsulSimulatorOptions = RegistryServerOptions &
  Readonly<{
    services?: Readonly<Record<string, readonly ConsulInstance[]>> | undefined;
    /** Who asks without it is answered 403. */
    token?: string | undefined;
  }>;

type KnownService = Readonly<{ index: number; instances: readonly ConsulInstance[] }>;
type Waiting = Readonly<{ service: string; tell: () => void }>;

const firstIndex = 10;
const longestWaitSeconds = 300;

/** Makes a Consul that answers `/v1/health/service/<name>`, blocking queries included. */
export function createConsulSimulator(options: ConsulSimulatorOptions = {}): ConsulSimulator {
  const services = new Map<string, KnownService>();
  const waiting = new Set<Waiting>();
  let index = firstIndex;
  for (const [name, instances] of Object.entries(options.services ?? {})) setInstances(name, instances);
  return { ...createRegistryServer(options, answer), setInstances, restart };

  function setInstances(service: string, instances: readonly ConsulInstance[]): void {
    index += 1;
    const name = service.toLowerCase();
    services.set(name, { index, instances });
    for (const one of waiting) if (one.service === name) one.tell();
  }

  function restart(): void {
    index = firstIndex;
    for (const [name, { instances }] of services) services.set(name, { index, instances });
    for (const one of waiting) one.tell();
  }

  function answer(asked: Asked, reply: Reply): void {
    const service = findService(asked, reply, options.token);
    if (service === undefined) return;
    const since = Number(asked.url.searchParams.get("index") ?? 0);
    const tell = (): void => tellInstances(service, asked, reply);
    if (asked.fault === undefined && since > 0 && since === indexOf(service))
      waitForChange({ service, tell }, asked, waiting);
    else tell();
  }

  function indexOf(service: string): number {
    return services.get(service)?.index ?? firstIndex;
  }

  function tellInstances(service: string, { url, fault }: Asked, reply: Reply): void {
    const known = services.get(service)?.instances ?? [];
    const told = url.searchParams.has("passing") ? known.filter(({ passing }) => passing !== false) : known;
    const headers = fault?.kind === "no-index" ? undefined : { "x-consul-index": String(indexOf(service)) };
    reply(
      told.map((instance, place) => toEntry(service, instance, place)),
      headers,
    );
  }
}

/** Holds an answer back until the service changes, or the time is over that the question names. */
function waitForChange({ service, tell }: Waiting, { url, res }: Asked, waiting: Set<Waiting>): void {
  const seconds = Number.parseInt(url.searchParams.get("wait") ?? String(longestWaitSeconds), 10);
  const one = { service, tell: end };
  const timer = after(Math.min(seconds, longestWaitSeconds) * 1_000, end);
  waiting.add(one);
  listenOnce(res, "close", leave);

  function leave(): void {
    clearTimeout(timer);
    waiting.delete(one);
  }

  function end(): void {
    leave();
    tell();
  }
}

/** Which service is asked for; undefined where the question was refused. */
function findService({ url, req }: Asked, reply: Reply, token: string | undefined): string | undefined {
  const service = /^\/v1\/health\/service\/([^/]+)$/.exec(url.pathname)?.[1];
  if (service === undefined) reply("no such path", {}, 404);
  // Consul finds a name in any letters.
  else if (token === undefined || req.headers["x-consul-token"] === token) return service.toLowerCase();
  else reply("forbidden", {}, 403);
  return undefined;
}

function toEntry(service: string, { address = "", port, tags = [], node = {} }: ConsulInstance, place: number): object {
  const { name = "node-1", address: nodeAddress = "127.0.0.1" } = node;
  return {
    Node: { ID: name, Node: name, Address: nodeAddress, Datacenter: "dc1" },
    Service: { ID: `${service}-${place}`, Service: service, Tags: tags, Address: address, Port: port },
    Checks: [{ Node: name, CheckID: "serfHealth", Status: "passing" }],
  };
}
