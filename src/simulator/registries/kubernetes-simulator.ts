import type { ServerResponse } from "node:http";
import { after, listenOnce } from "../../unattended/guarded.ts";
import {
  type Asked,
  createRegistryServer,
  type RegistryServerOptions,
  type RegistrySwitches,
  type Reply,
} from "./registry-server.ts";

/** Endpoints of a service that share their ports, as Kubernetes knows them. */
export type KubernetesEndpoints = Readonly<{
  addresses: readonly string[];
  /** The addresses of them that are not ready, default none. */
  notReady?: readonly string[] | undefined;
  ports: readonly Readonly<{ name?: string | undefined; port: number; appProtocol?: string | undefined }>[];
  /** Default `IPv4`. */
  addressType?: "IPv4" | "IPv6" | undefined;
}>;

/** The part of a Kubernetes API that knows EndpointSlices, on this machine. */
export type KubernetesSimulator = RegistrySwitches &
  Readonly<{
    /** Says where a service runs from now on, each element as a slice of its own; its name is `namespace/name`. */
    setSlices: (service: string, slices: readonly KubernetesEndpoints[]) => void;
    /** Ends all watches, as an API server does every few minutes; `Gone` first says that the version is too old. */
    endWatches: (reason?: "Gone") => void;
  }>;

/** Options of {@link createKubernetesSimulator}. */
export type KubernetesSimulatorOptions = RegistryServerOptions &
  Readonly<{
    /** By `namespace/name`. */
    services?: Readonly<Record<string, readonly KubernetesEndpoints[]>> | undefined;
    /** Who asks without it is answered 403. */
    token?: string | undefined;
  }>;

type Watch = Readonly<{ service: string; res: ServerResponse }>;
type Slice = Readonly<{ metadata: Readonly<{ name: string }> }>;
type Change = Readonly<{ version: number; service: string; line: string }>;

const longestWatchSeconds = 300;
// A watch may begin behind as many changes; further back nobody remembers them.
const mostChanges = 1_000;
const gone = { type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } };

/** Makes a Kubernetes API that lists and watches EndpointSlices. */
export function createKubernetesSimulator(options: KubernetesSimulatorOptions = {}): KubernetesSimulator {
  const services = new Map<string, readonly Slice[]>();
  const watches = new Set<Watch>();
  const changes = createChangeLog();
  let version = 1;
  for (const [service, slices] of Object.entries(options.services ?? {})) setSlices(service, slices);
  return { ...createRegistryServer(options, answer), setSlices, endWatches };

  function setSlices(service: string, slices: readonly KubernetesEndpoints[]): void {
    const before = services.get(service) ?? [];
    const now = slices.map((slice, place) => toSlice(service, slice, place));
    services.set(service, now);
    for (const object of before.slice(now.length)) tell(service, { type: "DELETED", object });
    for (const [place, object] of now.entries()) {
      tell(service, { type: place < before.length ? "MODIFIED" : "ADDED", object });
    }
  }

  function tell(service: string, change: object): void {
    version += 1;
    const line = toLine(change);
    changes.add({ version, service, line });
    for (const watch of watches) if (watch.service === service) watch.res.write(line);
  }

  function endWatches(reason?: "Gone"): void {
    for (const { res } of watches) res.end(reason === undefined ? "" : toLine(gone));
  }

  function answer(asked: Asked, reply: Reply): void {
    const service = findService(asked, reply, options.token);
    if (service === undefined) return;
    if (asked.url.searchParams.get("watch") === "true") beginWatch(service, asked);
    else reply(toList(version, services.get(service)));
  }

  function beginWatch(service: string, { url, res }: Asked): void {
    const watch = { service, res };
    const seconds = Number(url.searchParams.get("timeoutSeconds") ?? longestWatchSeconds);
    const timer = after(seconds * 1_000, () => res.end());
    watches.add(watch);
    listenOnce(res, "close", () => {
      clearTimeout(timer);
      watches.delete(watch);
    });
    res.writeHead(200, { "content-type": "application/json" });
    res.flushHeaders();
    const missed = changes.since(Number(url.searchParams.get("resourceVersion")), service);
    if (missed === undefined) res.end(toLine(gone));
    else for (const line of missed) res.write(line);
  }
}

/** What has happened lately: a watch begins behind it. */
type ChangeLog = Readonly<{
  add: (change: Change) => void;
  /** Undefined where so much has happened that nobody remembers all of it. */
  since: (version: number, service: string) => readonly string[] | undefined;
}>;

function createChangeLog(): ChangeLog {
  const changes: Change[] = [];
  return {
    add(change) {
      changes.push(change);
      if (changes.length > mostChanges) changes.shift();
    },
    since(version, service) {
      if (version < (changes[0]?.version ?? 0) - 1) return undefined;
      return changes.filter((one) => one.service === service && one.version > version).map(({ line }) => line);
    },
  };
}

function toList(version: number, items: readonly Slice[] = []): object {
  return { kind: "EndpointSliceList", metadata: { resourceVersion: `${version}` }, items };
}

function toLine(change: object): string {
  return `${JSON.stringify(change)}\n`;
}

const listPath = /^\/apis\/discovery\.k8s\.io\/v1\/namespaces\/([^/]+)\/endpointslices$/;
const selector = /^kubernetes\.io\/service-name=([^,]+)$/;

/** Which service is asked for; undefined where the question was refused. */
function findService({ url, req }: Asked, reply: Reply, token: string | undefined): string | undefined {
  const namespace = listPath.exec(url.pathname)?.[1];
  const name = selector.exec(url.searchParams.get("labelSelector") ?? "")?.[1];
  const isKnown = token === undefined || req.headers.authorization === `Bearer ${token}`;
  if (isKnown && namespace !== undefined && name !== undefined) return `${namespace}/${name}`;
  const code = isKnown ? 404 : 403;
  reply({ kind: "Status", status: "Failure", code }, {}, code);
  return undefined;
}

function toSlice(service: string, endpoints: KubernetesEndpoints, place: number): Slice {
  const { addresses, notReady = [], ports, addressType = "IPv4" } = endpoints;
  const name = service.slice(service.indexOf("/") + 1);
  const slice = {
    metadata: { name: `${name}-${place}`, labels: { "kubernetes.io/service-name": name } },
    addressType,
    endpoints: addresses.map((address) => ({
      addresses: [address],
      conditions: { ready: !notReady.includes(address) },
    })),
    ports: ports.map((port) => ({ protocol: "TCP", name: "", ...port })),
  };
  return slice;
}
