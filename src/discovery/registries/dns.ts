import dns, { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import type { FoundInstance, InstanceFinder } from "../provider.ts";
import { labelOf, type Service } from "../service.ts";
import { defaultPortOf } from "../../urls/schemes.ts";
import { createWorkTurns } from "../../work-in-turn.ts";

/** Which server is asked: the system's, unless one is written. */
type DnsSettings = Readonly<{ host: string | undefined; port: number }>;

// So long a server is waited for, and so often it is asked.
const patience = { timeout: 1_500, tries: 2 };
// Each name is asked for over a socket of its own; so many names of clients may be waited for, and some of routes besides.
const mostAtOnce = 256;
const longestTurn = 60_000;
const nothingThere: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA"]);

/** Makes the finder that asks DNS for the services of a name, and where it has none, for its addresses. */
export function createDnsFinder({ host, port }: DnsSettings): InstanceFinder {
  const inTurn = createWorkTurns(mostAtOnce, longestTurn);

  return async function findInDns(service, update, signal) {
    const found = await inTurn(() => find(service, signal));
    if (found === undefined) throw new Error("No server of DNS could be asked in time.");
    update(found);
  };

  async function find(service: Service, signal: AbortSignal): Promise<readonly FoundInstance[]> {
    const name = labelOf(service);
    const resolver = new Resolver(patience);
    signal.throwIfAborted();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      if (host !== undefined) resolver.setServers([formatServer(await addressOf(host), port)]);
      const services = await orNothing(resolver.resolveSrv(name));
      if (services.length > 0) return toInstances(services);
      return await findAddresses(resolver, name, service.scheme ?? "http");
    } finally {
      signal.removeEventListener("abort", cancel);
    }

    function cancel(): void {
      resolver.cancel();
    }
  }
}

async function addressOf(host: string): Promise<string> {
  return isIP(host) === 0 ? (await dns.lookup(host)).address : host;
}

function formatServer(address: string, port: number): string {
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}

/** A name without records is an answer, too. */
async function orNothing<Found>(asked: Promise<Found[]>): Promise<Found[]> {
  try {
    return await asked;
  } catch (error) {
    if (nothingThere.has((error as NodeJS.ErrnoException).code)) return [];
    throw error;
  }
}

type SrvRecord = Readonly<{ name: string; port: number; priority: number; weight: number }>;

/** Those of the lowest priority are ready; the others stand by for the day when these are gone from DNS. */
function toInstances(services: readonly SrvRecord[]): readonly FoundInstance[] {
  const first = Math.min(...services.map(({ priority }) => priority));
  const present = services.filter(({ priority }) => priority === first);
  const heaviest = Math.max(...present.map(({ weight }) => weight), 1);
  return services.toSorted(byName).map(({ name, port, weight, priority }) => {
    if (priority !== first) return { host: name, port, ready: false };
    return { host: name, port, weight: Math.max(1, Math.round((weight / heaviest) * 100)) };
  });
}

/** Those of IPv4 are ready, where there are some. */
async function findAddresses(
  resolver: Resolver,
  name: string,
  scheme: "http" | "https",
): Promise<readonly FoundInstance[]> {
  const [four, six] = await Promise.all([orNothing(resolver.resolve4(name)), orNothing(resolver.resolve6(name))]);
  const port = defaultPortOf(scheme)!;
  // Servers change the order with each answer, and a list that stays the same is no change.
  return [
    ...four.toSorted().map((host) => ({ host, port })),
    ...six.toSorted().map((host) => ({ host, port, ready: four.length === 0 })),
  ];
}

function byName(one: SrvRecord, other: SrvRecord): number {
  return one.name < other.name ? -1 : Number(one.name > other.name) || one.port - other.port;
}
